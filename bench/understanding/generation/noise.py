"""What happens to words on the way: case, punctuation, spoken fillers, slips of the finger."""

from __future__ import annotations

import re
from random import Random

from .draft import Woven
from .vocabulary import cues

_NEIGHBOURS = {
    row[at]: (row[at - 1 : at] + row[at + 1 : at + 2])
    for row in ("qwertyuiop", "asdfghjkl", "zxcvbnm")
    for at in range(len(row))
}


def tidied(woven: Woven) -> None:
    """Mend what joining leaves: articles, doubled words, stray commas and blanks."""
    woven.replace(r"\b(no|any|some|the|a_|non|ex|excl|:|=|[-!/]) ?(?:a_|the) ", r"\1 ")
    woven.replace(r"\ba_(?= [\"'(]*[aeiouAEIOU](?!ne\b|ni|se\b|ro\b))", "an")
    woven.replace(r"\ba_", "a")
    woven.replace(r"\b(from|in|of|at|to|an?|with|for|the|on|by|not) (?=\1 )", "")
    woven.replace(r" +(?=[,;.?!:](?:\s|$))", "")
    woven.replace(r"([,;]) *(?=[,;.])", "")
    woven.replace(r"(?<=[.?!])[.,;](?= |$)", "")
    woven.replace(r"  +", " ")
    woven.replace(r"^[ ,;.]+|[ ,;]+$", "")


def spoken(woven: Woven, random: Random) -> None:
    """Take capitals and punctuation away and put fillers in, as a speech recogniser writes."""
    woven.replace(r"[A-Z]+", lambda found: found[0].lower())
    woven.replace(r"(?<=[a-z0-9])[,;:?!]+(?=\s|$)|(?<=[a-z])\.+(?=\s|$)|\n", " ")
    fillers = [cue.template for cue in cues("framing.filler.spoken")]
    woven.replace(
        r" (?=\w)", lambda _: f" {random.choice(fillers)}" if random.random() < 0.03 else " "
    )
    if random.random() < 0.3:
        first = random.choice(fillers)
        woven.text, woven.marks = first + woven.text, [0] * len(first) + woven.marks
    woven.replace(r"  +", " ")


def cased(woven: Woven, random: Random) -> None:
    """Write a text in small letters, in capitals, as sentences, or leave it."""
    draw = random.random()
    if draw < 0.35:
        woven.replace(r"[A-Z]+", lambda found: found[0].lower())
    elif draw < 0.37:
        woven.replace(r"[a-z]+", lambda found: found[0].upper())
    elif draw < 0.85:
        woven.replace(r"(?:^|(?<=[.?!] ))[a-z]", lambda found: found[0].upper())
        if random.random() < 0.6 and woven.text[-1:].isalnum():
            woven.text, woven.marks = f"{woven.text}.", [*woven.marks, 0]


def apostrophes(woven: Woven, random: Random) -> None:
    """Drop apostrophes or curl them, as phones and hurried people do."""
    draw = random.random()
    if draw < 0.12:
        woven.replace(r"(?<=[a-zI])'(?=[a-z])", "")
    elif draw < 0.18:
        woven.replace(r"(?<=[a-zI])'(?=[a-z])", "’")


def mistyped(woven: Woven, random: Random, slips: int) -> None:
    """Put slips of the finger into words of four letters or more."""
    for _ in range(slips):
        words = list(re.finditer(r"[A-Za-z]{4,}", woven.text))
        if not words:
            return
        word = random.choice(words)
        at = random.randint(word.start() + 1, word.end() - 2)
        _slip(woven, at, random)


def _slip(woven: Woven, at: int, random: Random) -> None:
    text, marks = woven.text, woven.marks
    letter = text[at]
    match random.randint(0, 3):
        case 0:
            woven.text, woven.marks = text[:at] + text[at + 1 :], marks[:at] + marks[at + 1 :]
        case 1:
            woven.text = text[:at] + letter + text[at:]
            woven.marks = [*marks[:at], marks[at], *marks[at:]]
        case 2:
            woven.text = text[:at] + text[at + 1] + letter + text[at + 2 :]
        case _:
            near = _NEIGHBOURS.get(letter.lower(), letter)
            woven.text = text[:at] + random.choice(near) + text[at + 1 :]
