"""Whole turns that wish for something: flowing, keyword style, an answer, or a change of mind."""

from __future__ import annotations

from collections.abc import Sequence

from .bounds_said import bare, bound, drawn_value, said_value
from .chatter import decoy_sentence, lacking, not_meant, own_story, question, reasoned
from .clauses import BEHIND, Role, clause, refusal, yes_no
from .draft import Pieces, joined, plain, text_of
from .made_catalogs import MadeColumn
from .nouns import plural, with_article
from .speaker import Meant, Speaker
from .tendencies_said import waiver
from .values_said import WORDY, marked_value, picked, wanted

TRIES = 6


def request(speaker: Speaker) -> Pieces:
    """Return a turn that says what is looked for, in flowing words or in bare sentences."""
    columns = speaker.columns(speaker.random.choices((1, 2, 3, 4, 5), (30, 33, 22, 10, 5))[0])
    speaker.does("inform")
    if speaker.chance(0.06):
        return _long(speaker)
    if speaker.chance(0.6):
        return _flowing(speaker, columns)
    return _surrounded(speaker, [_sentence(speaker, column) for column in columns])


def _long(speaker: Speaker) -> Pieces:
    """Return a story of many sentences, of which some wish for something."""
    speaker.shows("long")
    sentences = [_sentence(speaker, column) for column in speaker.columns(4)]
    thing = speaker.one_of(speaker.catalog.domain.items)
    sentences[0] = [*_opening(speaker, [], thing), *plain(". "), *sentences[0]]
    for _ in range(speaker.random.randint(2, 4)):
        story = own_story(speaker) if speaker.chance(0.3) else decoy_sentence(speaker)
        sentences.insert(speaker.random.randint(0, len(sentences)), story)
    return joined(sentences, ". ")


def _flowing(speaker: Speaker, columns: Sequence[MadeColumn]) -> Pieces:
    """Return `I'm looking for a red bike under 300 with lights. It should be light.`"""
    before: list[Pieces] = []
    after: list[Pieces] = []
    apart: list[Pieces] = []
    for column in columns:
        role: Role = speaker.random.choices(("pre", "post", "sent"), (30, 45, 25))[0]
        said = _tried(speaker, column, role)
        if said is None:
            apart.append(_sentence(speaker, column))
        else:
            {"pre": before, "post": after, "sent": apart}[role].append(said)
    thing = _thing(speaker, before, after)
    sentences = [thing, *apart]
    if apart and speaker.chance(0.15):
        speaker.random.shuffle(sentences)
    return _surrounded(speaker, sentences)


def _tried(speaker: Speaker, column: MadeColumn, role: Role) -> Pieces | None:
    """Return a clause in a place, or None; what a failed try meant is forgotten."""
    for _ in range(TRIES):
        meant, used, shown = len(speaker.meant), len(speaker.used), len(speaker.phenomena)
        said = clause(speaker, column, role)
        if said is not None:
            return _hardened(speaker, said, meant) if role == "sent" else said
        del speaker.meant[meant:], speaker.used[used:], speaker.phenomena[shown:]
    return None


def _sentence(speaker: Speaker, column: MadeColumn) -> Pieces:
    said = _tried(speaker, column, "sent")
    return said if said is not None else waiver(speaker, column)


def _hardened(speaker: Speaker, said: Pieces, first: int) -> Pieces:
    """Now and then, put words around a wish that say it must not give way."""
    wishes = speaker.meant[first:]
    if (
        not wishes
        or any(meant.what != "constraint" for meant in wishes)
        or not speaker.chance(0.14)
    ):
        return said
    for meant in wishes:
        meant.hard = True
    speaker.shows("hardness")
    return speaker.words("tendencies.hard.around", w=said)


def _thing(speaker: Speaker, before: list[Pieces], after: list[Pieces]) -> Pieces:
    """Return the thing that is looked for, with what was said before and after its noun."""
    noun = speaker.one_of(speaker.catalog.domain.items)
    speaker.random.shuffle(before)
    modifiers = [
        piece for part in before for piece in (*part, (speaker.one_of((" ", " ", ", ")), 0))
    ]
    if modifiers:
        modifiers[-1] = (" ", 0)
        # `a red one`, `cheapest Japanese`
        noun = speaker.random.choices((noun, "one", ""), (75, 8, 17))[0]
    opening = _opening(speaker, modifiers, noun)
    for part in after:
        link = speaker.random.choices((" ", ", ", " and "), (7, 2, 1))[0]
        opening = [*opening, ("" if text_of(part).startswith(",") else link, 0), *part]
    return opening


def _opening(speaker: Speaker, modifiers: Pieces, noun: str) -> Pieces:
    if not modifiers and speaker.chance(0.15):
        return speaker.words("framing.open.vague")
    superlative = any(meant.what == "objective" for meant in speaker.meant) and bool(modifiers)
    if superlative and speaker.chance(0.85):
        return speaker.words("framing.open.super", an=[*modifiers, (noun, 0)])
    if noun not in ("one", "") and speaker.chance(0.2):
        return speaker.words("framing.open.plural", ns=[*modifiers, (plural(noun), 0)])
    return speaker.words("framing.open.thing", an=with_article(modifiers, noun))


def _surrounded(speaker: Speaker, sentences: list[Pieces]) -> Pieces:
    """Return sentences in one text, with small talk, decoys and courtesies around them."""
    sentences = list(sentences)
    if speaker.chance(0.08):
        sentences.insert(0, own_story(speaker))
    if speaker.chance(0.07):
        sentences.insert(speaker.random.randint(1, len(sentences)), lacking(speaker))
    for _ in range(speaker.random.choices((0, 1, 2), (84, 12, 4))[0]):
        sentences.insert(speaker.random.randint(0, len(sentences)), decoy_sentence(speaker))
    if speaker.chance(0.05):
        sentences = [*sentences, question(speaker)]
    if speaker.chance(0.1):
        place = speaker.random.randrange(len(sentences))
        sentences[place] = reasoned(speaker, sentences[place])
    if speaker.chance(0.04):
        sentences = [*sentences, not_meant(speaker)]
    text = sentences[0]
    for sentence in sentences[1:]:
        link = "usual" if speaker.chance(0.78) else "between"
        text = [*text, *speaker.words(f"framing.link.{link}"), *sentence]
    if speaker.chance(0.25):
        text = [*text, *speaker.words("framing.close.after")]
    return text


def keywords(speaker: Speaker) -> Pieces:
    """Return a turn in keywords: `bike, red, max 300, no basket`."""
    speaker.shows("keywords")
    speaker.does("inform")
    columns = speaker.columns(speaker.random.randint(1, 5))
    parts = [_tried(speaker, column, "frag") for column in columns]
    said = [part for part in parts if part is not None]
    if not said or speaker.chance(0.5):
        noun = speaker.one_of(speaker.catalog.domain.items)
        said.insert(0, plain(plural(noun) if speaker.chance(0.3) else noun))
    separator = speaker.random.choices(
        (", ", " ", "; ", " / ", "\n", " - ", ","), (8, 7, 1, 1, 1, 1, 1)
    )[0]
    return joined(said, separator)


def answer(speaker: Speaker) -> tuple[str, str, Pieces]:
    """Return a question's text, the column it asks about, and an answer to it."""
    columns = speaker.columns(len(speaker.catalog.columns))
    column = next(column for column in columns if column.notion.asks)
    speaker.shows("answers")
    before = _question_about(speaker, column)
    draw = speaker.random.random()
    if draw < 0.13:
        return before, column.name, _no_wish(speaker, column)
    if draw < 0.2:
        speaker.does("dont_know")
        return before, column.name, speaker.words("framing.social.dont_know")
    said = _reply(speaker, column)
    speaker.does("inform")
    if speaker.chance(0.18):
        other = speaker.one_of(speaker.catalog.columns)
        if other is not column:
            said = [*said, *speaker.words("framing.link.between"), *_sentence(speaker, other)]
    return before, column.name, said


def _question_about(speaker: Speaker, column: MadeColumn) -> str:
    template = speaker.one_of(column.notion.asks)
    phrase = speaker.one_of(
        [words for forms in column.plan.forms.values() for words in forms] or ["that"]
    )
    name = speaker.called(column)
    asked = template.replace("{col}", name).replace("{np}", phrase)
    if speaker.chance(0.25):
        asked = speaker.one_of(
            (
                f"What {name} would you like?",
                f"Any wishes about the {name}?",
                f"And the {name}?",
                f"Which {name}?",
                f"How about the {name}?",
                f"What should the {name} be?",
            )
        )
    if column.kind in WORDY and speaker.chance(0.3):
        offered = [str(value) for value in picked(speaker, column, 3)]
        asked += f" For example {', '.join(offered[:-1])} or {offered[-1]}?"
    lead = speaker.one_of(("", "", "All right. ", "OK. ", "Got it. ", "Sure. "))
    return lead + asked


def _no_wish(speaker: Speaker, column: MadeColumn) -> Pieces:
    speaker.shows("waivers")
    speaker.does("dont_care")
    mark = speaker.mark()
    speaker.means(Meant("waived", mark, column.name))
    if column.kind == "yesno":
        said = speaker.words("framing.reply.open")
    else:
        said = speaker.words("tendencies.waive.answer")
    return [(text, mark) for text, _ in said]


def _reply(speaker: Speaker, column: MadeColumn) -> Pieces:
    if column.kind == "yesno":
        return _yes_or_no(speaker, column)
    if column.kind in WORDY:
        if speaker.chance(0.18) and column.kind != "list":
            speaker.shows("negation")
            value = picked(speaker, column, 1)[0]
            mark = speaker.mark()
            speaker.means(Meant("constraint", mark, column.name, "!=", value))
            said = marked_value(speaker, column, value, mark)
            how = "behind" if speaker.chance(BEHIND) else "answer"
            return speaker.words(f"values.refuse.{how}", v=said)
        if speaker.chance(0.08):
            return refusal(speaker, column, "sent") or plain("")
        return speaker.words("values.want.answer", v=wanted(speaker, column))
    if speaker.chance(0.2):
        return _sentence(speaker, column)
    said = (
        bare(speaker, column)
        if speaker.chance(0.5) and column.kind != "year"
        else bound(speaker, column)
    )
    return speaker.words("values.want.answer", v=said) if speaker.chance(0.5) else said


def _yes_or_no(speaker: Speaker, column: MadeColumn) -> Pieces:
    """Return yes, no, or that it is not wanted; a plain no leaves the feature open."""
    if speaker.chance(0.2):
        said = yes_no(speaker, column, "sent")
        if said is not None:
            return said
    reply = speaker.random.choices(("yes", "no", "refuse"), (55, 25, 20))[0]
    speaker.does("affirm" if reply == "yes" else "negate")
    mark = speaker.mark()
    if reply == "no":
        speaker.shows("waivers")
        speaker.means(Meant("waived", mark, column.name))
    else:
        speaker.shows("yes and no", *(() if reply == "yes" else ("negation",)))
        value = column.yes if reply == "yes" else column.no
        speaker.means(Meant("constraint", mark, column.name, "==", value))
    return [(text, mark) for text, _ in speaker.words(f"framing.reply.{reply}")]


def change(speaker: Speaker) -> tuple[str, str, Pieces]:
    """Return what the assistant understood, and a turn that corrects or drops some of it."""
    column = speaker.columns(1)[0]
    if column.is_number and speaker.chance(0.4):
        return _raised(speaker, column)
    before, old = _understood(speaker, column)
    if speaker.chance(0.25):
        return before, "", waiver(speaker, column, "correct.retract")
    speaker.shows("correction")
    speaker.does("correct")
    if column.kind in ("text", "name") and old and speaker.chance(0.5):
        return before, "", _replacing(speaker, column, old)
    if column.kind in WORDY and not speaker.chance(0.3):
        said = wanted(speaker, column)
    elif column.kind in ("yesno", "present", *WORDY):
        said = _sentence(speaker, column)
    else:
        said = _new_bound(speaker, column)
    return before, "", speaker.words("tendencies.correct.turn", y=said)


def _raised(speaker: Speaker, column: MadeColumn) -> tuple[str, str, Pieces]:
    """Return a bound that the assistant repeats, and another number in its place."""
    upper = speaker.chance(0.5)
    old, new = drawn_value(speaker, column), drawn_value(speaker, column)
    mark = speaker.mark()
    speaker.means(Meant("constraint", mark, column.name, "<=" if upper else ">=", new))
    speaker.shows("bounds", "correction")
    speaker.does("correct")
    name, said = speaker.called(column), said_value(speaker, column, old)
    before = speaker.one_of(
        (
            f"{'Up to' if upper else 'At least'} {said} then. Anything else?",
            f"OK, {name} {'at most' if upper else 'at least'} {said}.",
            f"Noted: {name} {'no more' if upper else 'no less'} than {said}. What else?",
        )
    )
    words: Pieces = [(said_value(speaker, column, new), mark)]
    return before, "", speaker.words("tendencies.correct.turn", y=words)


def _new_bound(speaker: Speaker, column: MadeColumn) -> Pieces:
    if speaker.chance(0.5):
        return _sentence(speaker, column)
    name = speaker.called(column)
    upper = column.notion.better == "low"
    template = speaker.one_of(
        (
            f"the {name} can go {'up' if upper else 'down'} to ",
            f"{name} can be {'up to' if upper else 'as little as'} ",
            f"the {name} may go {'as high as' if upper else 'as low as'} ",
        )
    )
    mark = speaker.mark()
    value = drawn_value(speaker, column)
    speaker.means(Meant("constraint", mark, column.name, "<=" if upper else ">=", value))
    speaker.shows("bounds")
    return [*plain(template), (said_value(speaker, column, value), mark)]


def _understood(speaker: Speaker, column: MadeColumn) -> tuple[str, str]:
    """Return a sentence of the assistant that says a value of a column, and the value."""
    name = speaker.called(column)
    if column.kind in WORDY and column.values:
        old = picked(speaker, column, 1)[0]
        said = old
    elif column.kind in ("yesno", "present"):
        old, said = "", speaker.one_of(("yes", "no"))
    else:
        old, said = "", str(drawn_value(speaker, column))
    template = speaker.one_of(
        (
            "OK, {n}: {v}. Anything else?",
            "Noted: {n} {v}.",
            "So {n} should be {v}. What else matters to you?",
            "I understood: {n} {v}. Is that right?",
            "Nothing matches {n} {v}. Shall I leave it out?",
            "There are 4 with {n} {v}.",
            "Without {n} {v} there would be 7.",
        )
    )
    return template.replace("{n}", name).replace("{v}", said), old


def _replacing(speaker: Speaker, column: MadeColumn, old: str) -> Pieces:
    """Return a turn that names what was understood wrongly and what was meant."""
    others = [str(value) for value in column.values if value != old]
    if not others:
        return _sentence(speaker, column)
    slip, mark = speaker.mark(), speaker.mark()
    right = speaker.one_of(others)
    speaker.means(Meant("corrected", slip, column.name))
    speaker.means(Meant("constraint", mark, column.name, "==", right))
    return speaker.words(
        "tendencies.correct.late",
        x=marked_value(speaker, column, old, slip),
        y=marked_value(speaker, column, right, mark),
    )
