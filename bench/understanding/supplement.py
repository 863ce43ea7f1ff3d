"""Labelled sentences about what the generator leaves out, over any catalogs.

Parts of values that stand for all who have them, exceptions, second choices and suppositions,
values that stand for nothing known, what somebody will not give up, dates from which on, and
answers to a question that offers values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from ...catalogs.versions.reader import CatalogReader
from ...dialogs.extraction.value_index import ValueIndex, index_of
from ...dialogs.language.tokens import tokens
from .labelled import NOWHERE, LabelledConstraint, LabelledSentence, LabelledWaiver, Plain

_WANTED = """{v}|{v} please|I want {v}|a {v}|an {v}|some {v}|it should be {v}|looking for a {v}
in the {v}|in {v}|one of the {v}|the {v} ones|I'm not willing to compromise on {v}
I won't budge on {v}|I'd never give up {v}
no flexibility about {v}, please|{v}, and I am not flexible on that
if something has to give, let it be {v}|if I have to choose, I'd take {v}|I'd rather have {v}
I'm extremely flexible but {v} would be nice|{v} would be great, though I can compromise on it
something like {v}|mainly {v}|do you have {v}|any {v}|preferably {v}|ideally {v}|{v} if you can
find me a {v} one|show me {v}|what about {v}|my favourite is {v}|it has to be {v}|must be {v}"""
_UNWANTED = """no {v}|not {v}|no {v}s|anything but {v}|anywhere but {v}|everything except {v}
everywhere except {v}|without {v}|but not in the {v}|not in {v}|it isn't {v}|just not {v}|never {v}
not a {v}|nothing in {v}|avoid {v}|I can't stand {v}|I don't like {v}|except {v}|not the {v} one
all but {v}|other than {v}|it can't be {v}|{v} is out|{v} is an absolute no|please no {v}|{v} I hate
anything that isn't {v}|I will not take {v}|we don't like {v}|nothing {v}|keep me away from {v}"""
_BOTH = """{w}, though I could also live with {v}|{w}, but {v} would do at a pinch
I want {w}. If it were {v} I would hardly come|{w}, even if my sister says {v} is better
{w}, not {v}|{w} instead of {v}|{w} rather than {v}|no {v}, {w}
actually no {v}, {w}|{v} is out, {w}"""
_NOTHING = """I'd be glad if it were {v} one day|even if it is {v}|my brother has {v}
I used to have {v}|my last one was {v}|we had {v} yesterday|my old one is {v}
is {v} any good?|what does {v} mean?
my name is {v}|I live in {v}|we come from {v}|{v} was last year|my neighbour likes {v}
I care about all three|these three do|both two matter|there are four of us|I already own 40 of them
I came by an unknown road|unknown|the {c} is unknown to me|I have three kids and 2 dogs
whether the {c} is unknown or not is all the same to me|the one thing I know|one more thing"""
_PLACEHOLDER = """the {c} should be listed as {v}|{c}: {v}|it has to say “{v}” under {c}
only those with the {c} marked as {v}|whose {c} is recorded as {v}, so only those|{c} = {v}"""
_SINCE = """available from {d}|from {d}|from {d} on|free from {d}|starting {d} or later
not before {d}|since {d}|as of {d}|{d} onwards"""

_CHOICES = """{a}, {b} or {c}?|Would you prefer {a}, {b} or {c}?|{a} or {b}?|Do you mean {a} or {b}?
I have {a}, {b} and {c}. Any preference?|Would you rather have {a} or {b}?
There are {a} and {b}. Which do you like?|We have {a} and {b} left. Does either appeal?
Shall I look for {a} or for {b}?|Which {k} would you like: {a} (12), {b} (7), {c} (2) or another?
Which {k} would you like: {a}, {b} or one of 5 others?|{K}: {a}, {b}, {c} ...?"""
_ONE = """Is {a} all right?|Would {a} do?|How about {a}?|Do you want {a}?|You mean {a}?
I found one in {a}. Would you take it?|Is {a} what you mean?
Shall I look for {a}?|Would you like {a}?
So {a}, is that right?|Should it be {a}?|Please confirm: {a}.|Is {a} important to you?"""
_LESS = """Shall I leave out {a}?|Should I hide {a}?|Do you want to avoid {a}?|Shall I skip {a}?
No {a}, then?|Should I drop everything in {a}?|Without {a}, is that right?|Are you against {a}?"""
_PICKED = {
    "first": """the first one|the first|first one please|the former|option one|number one|first
the first of those|the one you said first""",
    "last": """the last one|the latter|the last|the last you mentioned
the final one|last one please""",
    "all": """either|either is fine|either one|both|any of them|any of those|both are fine
all of them|whichever of those|either would do|any of those would do|both sound good""",
    "none": """neither|neither of them|none of those|none of them|not those|no, none|neither, thanks
nope, none of those|neither of those two, please|not any of those""",
    "yes": """yes|yes please|sure|ok|okay|sounds good|go for it|absolutely|fine by me|yeah go on|yep
please do|that would be nice|of course|that's right|correct|exactly|I would, yes
that works|perfect""",
    "no": """no|nope|no thanks|not that|rather not|I'd rather not|absolutely not
no, anything else|I'd rather have something else|certainly not|not really|never|nah|please don't""",
    "open": """not sure|I don't know|what's the difference?|why do you ask?|which is cheaper?|hmm
let me think|what do you mean?|tell me more first|what else is there?|who are you?|wait a moment
why|what|?|how many are there?|which ones are left?|are you a robot?|can I speak to a human?|huh
stupid machine|you fool|what a load of rubbish|shut up|this is useless|I hate computers|get lost
lol|haha|blah blah blah|la la la|hello?|anybody there?|test|testing one two three|asdfgh|xyzzy
ghjk qwer|zzzz|wsdf fghj rtyu|...|!!!|:-)|brrr|ugh|meh|sigh|tell me a joke|sing me a song
what time is it?|how is the weather?|I had soup today|my dog ate my homework|the sky is blue
ich weiß nicht|no entiendo|je ne comprends pas|non ho capito|wat bedoel je|co to znaczy|vad sa du
what does that mean?|how does this work?|explain that|that's none of your business|says who?
what would you take?|is it far?|are those any good?|do they cost more?|what do others take?
can we start again?|I was talking to my wife|sorry, wrong window|one sec|brb|thanks|thank you
good morning|bye|see you|how old are you?|who made you?|what can you do?|give me a minute""",
    "any": """doesn't matter|no preference|I don't care|don't mind|all the same to me|whatever
you choose|not important|I'm easy|makes no difference|up to you""",
}


def supplement(
    catalogs: Mapping[str, CatalogReader], count: int, seed: int = 0
) -> Iterator[LabelledSentence]:
    """Yield so many sentences over the catalogs; the same seed, the same sentences."""
    random = Random(seed)
    names = sorted(catalogs)
    while count:
        name = random.choice(names)
        sentence = _sentence(name, index_of(catalogs[name]), random)
        if sentence is not None:
            count -= 1
            yield sentence


def _sentence(name: str, index: ValueIndex, random: Random) -> LabelledSentence | None:
    kind = random.choice("wwwwuuuubbnnnpsooo")
    if kind == "s":
        return _since(name, index, random)
    columns = [column for column, texts in index.columns.items() if texts.ranks]
    if not columns:
        return None
    column = random.choice(columns)
    if kind == "p":
        return _placeholder(name, index, random)
    if kind == "o":
        return _answered(name, index, column, random)
    held = index.columns[column]
    listed = list(held.parts or held.ranks)
    said, values = _said(listed, random)
    parts = bool(index.columns[column].parts)
    texts = {"w": _WANTED, "u": _UNWANTED, "b": _BOTH, "n": _NOTHING}[kind]
    text = random.choice(texts.replace("\n", "|").split("|"))
    if kind == "n":
        return LabelledSentence(name, text.format(v=said, c=_plain(column)))
    if kind == "b":
        other, others = _said(listed, random)
        if set(others) & set(values):
            return None
        return _labelled(
            name, text.format(v=said, w=other), other, column, _op(others, parts=parts), others
        )
    op = _op(values, parts=parts) if kind == "w" else "!=" if len(values) == 1 else "not in"
    return _labelled(name, text.format(v=said), said, column, op, values)


def _answered(name: str, index: ValueIndex, column: str, random: Random) -> LabelledSentence | None:
    """Return an answer to a question that offers values of a column."""
    held = index.columns[column]
    listed = list(held.parts or held.ranks)
    if len(listed) < 3:
        return None
    values = random.sample(listed, 3)
    kind = random.choice((_CHOICES, _ONE, _LESS))
    asked = random.choice(kind.replace("\n", "|").split("|"))
    name_of = {"k": _plain(column), "K": column}
    offered = [value for key, value in zip("abc", values, strict=True) if f"{{{key}}}" in asked]
    picks = ("first", "last", "all", "none") if len(offered) > 1 else ("yes", "no", "yes", "no")
    picked = random.choice((*picks, "open", "open", "any"))
    said = random.choice(_PICKED[picked].replace("\n", "|").split("|"))
    if picked == "open" and random.random() < 0.2:
        said = "".join(random.choice("abcdefghijklmnopqrstuvwxyz  ") for _ in range(12)).strip()
    taken = {"first": offered[:1], "last": offered[-1:]}.get(picked, offered)
    refused = picked == ("yes" if kind is _LESS else "none" if kind is _CHOICES else "no")
    before = asked.format(**dict(zip("abc", values, strict=True)), **name_of)
    if picked == "any":
        return LabelledSentence(name, said, before, waived=(LabelledWaiver(column, NOWHERE),))
    if picked == "open" or (kind is _LESS and picked == "no"):
        return LabelledSentence(name, said, before)
    op = ("!=" if len(taken) == 1 else "not in") if refused else _op(taken, parts=bool(held.parts))
    value: Plain | list[Plain] = taken[0] if len(taken) == 1 else list(taken)
    wish = LabelledConstraint(column, op, value, NOWHERE, None)
    return LabelledSentence(name, said, before, constraints=(wish,))


def _op(values: Sequence[str], *, parts: bool) -> str:
    if parts:
        return "contains" if len(values) == 1 else "contains any"
    return "==" if len(values) == 1 else "in"


def _said(values: list[str], random: Random) -> tuple[str, list[str]]:
    """Return a value, or a last word that some values share, and what is meant by it."""
    value = random.choice(values)
    words = [word.text for word in tokens(value)]
    last = words[-1] if words else value
    sharing = [other for other in values if other.casefold().endswith(f" {last.casefold()}")]
    if len(words) > 1 and 1 < len(sharing) < 20 and last.isalpha() and random.random() < 0.7:
        return last, sharing
    if len(words) > 1 and last.isalpha() and len(last) > 3 and random.random() < 0.3:
        mine = [other for other in values if last.casefold() in other.casefold().split()]
        return (last, [value]) if len(mine) == 1 else (value, [value])
    return random.choice((value, value.lower())), [value]


def _labelled(
    name: str, text: str, said: str, column: str, op: str, values: Sequence[str]
) -> LabelledSentence:
    start = text.rfind(said)
    value: Plain | list[Plain] = values[0] if len(values) == 1 else list(values)
    constraint = LabelledConstraint(column, op, value, (start, start + len(said)), None)
    return LabelledSentence(name, text, constraints=(constraint,))


def _placeholder(name: str, index: ValueIndex, random: Random) -> LabelledSentence | None:
    known = [entry for entries in index.placeholders.values() for entry in entries]
    if not known:
        return None
    entry = random.choice(known)
    text = random.choice(_PLACEHOLDER.replace("\n", "|").split("|"))
    told = text.format(v=entry.value, c=_plain(entry.column))
    return _labelled(name, told, entry.value, entry.column, "==", [entry.value])


def _since(name: str, index: ValueIndex, random: Random) -> LabelledSentence | None:
    if not index.dates:
        return None
    column = random.choice(list(index.dates))
    day = f"2027-{random.randint(1, 12):02}-{random.randint(1, 28):02}"
    said = random.choice((day, f"{int(day[8:])} {_MONTHS[int(day[5:7]) - 1]} 2027"))
    text = random.choice(_SINCE.replace("\n", "|").split("|")).format(d=said)
    return _labelled(name, text, said, column, ">=", [day])


_MONTHS = (
    "January February March April May June July August September October November December".split()
)


def _plain(column: str) -> str:
    return column.replace("_", " ").replace("-", " ").lower()
