"""What is said and wishes for nothing: stories, questions, courtesies, insults, nonsense."""

from __future__ import annotations

from datetime import timedelta

from .amounts import number_words, say_date, say_money, say_time
from .bounds_said import drawn_value, said_value
from .days_said import span_words
from .draft import Pieces, plain
from .made_catalogs import TODAY
from .nouns import CITIES, FOREIGN, plural, with_article
from .speaker import Meant, Speaker
from .values_said import WORDY, spoken_value
from .vocabulary import Cue, cues

ASKS = ("why", "meaning", "count", "choices", "items", "detail", "other")
SOCIAL = (
    "greet",
    "thank",
    "affirm",
    "negate",
    "dont_know",
    "more",
    "select",
    "reject",
    "end",
    "unclear",
)


PAST = (
    "last year",
    "last summer",
    "yesterday",
    "two weeks ago",
    "in March",
    "last week",
    "in 2019",
)
SOON = ("tomorrow", "next week", "on Monday", "tonight", "in two weeks", "next month", "on 5 May")


def decoy_sentence(speaker: Speaker) -> Pieces:
    """Return a sentence about oneself whose numbers and values are not meant."""
    speaker.shows("decoys")
    has_people = any(column.notion.key == "seats" for column in speaker.catalog.columns)
    fitting = [cue for cue in cues("framing.chat.story") if cue.flag != "@people" or not has_people]
    return _filled(speaker, speaker.cue(fitting))


def reasoned(speaker: Speaker, said: Pieces) -> Pieces:
    """Return a wish with a reason after it, in which nothing is wished."""
    speaker.shows("decoys")
    adjective = _adjective(speaker, "low", "high")
    fitting = [
        cue for cue in cues("framing.chat.reason") if adjective or "{adj}" not in cue.template
    ]
    link = speaker.one_of((" ", ", ", " - "))
    return [*said, *plain(link), *_filled(speaker, speaker.cue(fitting))]


def own_story(speaker: Speaker) -> Pieces:
    """Return what somebody has now: a value and an amount of columns here, neither wished."""
    columns = speaker.columns(len(speaker.catalog.columns))
    words = next((c for c in columns if c.kind in ("text", "name")), None)
    amounts = next((c for c in columns if c.is_number), None)
    if words is None or amounts is None:
        return decoy_sentence(speaker)
    speaker.shows("decoys")
    value = _decoy(speaker, spoken_value(speaker, words, str(speaker.one_of(words.values))))
    amount = drawn_value(speaker, amounts)
    said = _decoy(speaker, said_value(speaker, amounts, amount))
    named = (
        [] if amounts.kind == "money" else plain(f" {amounts.plan.unit or speaker.called(amounts)}")
    )
    preposition = words.notion.prep or "with"
    return speaker.words(
        "framing.chat.own",
        n=speaker.one_of(speaker.catalog.domain.items),
        v=value,
        av=[*plain("a_ "), *value],
        pv=[*plain(f"{preposition} "), *value],
        x=[*said, *(named if speaker.chance(0.6) else [])],
    )


def lacking(speaker: Speaker) -> Pieces:
    """Return a wish for something that the catalog knows nothing of."""
    speaker.shows("decoys", "lacking")
    known = " ".join(
        " ".join((column.name, *column.said, *map(str, column.values)))
        for column in speaker.catalog.columns
    ).lower()
    nouns = [noun for noun in FOREIGN if noun[:4] not in known]
    noun = speaker.one_of(nouns)
    numbers = sorted(speaker.random.sample(range(2, 12), 2))
    said = [number_words(n) if speaker.voice or speaker.chance(0.4) else str(n) for n in numbers]
    return speaker.words(
        "framing.chat.lacking",
        foreign=[*plain("a_ "), *_decoy(speaker, noun)],
        foreigns=_decoy(speaker, plural(noun)),
        number=_decoy(speaker, said[0]),
        number2=_decoy(speaker, said[1]),
    )


def not_meant(speaker: Speaker) -> Pieces:
    """Return a sentence with a word for low or high that asks for neither."""
    if not (_adjective(speaker, "low", "high") and _adjective(speaker, "lowest", "highest")):
        return decoy_sentence(speaker)
    speaker.shows("decoys")
    return _filled(speaker, speaker.cue("framing.chat.notmeant"))


def _adjective(speaker: Speaker, *keys: str) -> list[str]:
    """Return words for low or high that some column of the catalog has."""
    return [
        word
        for column in speaker.catalog.columns
        for key in keys
        for word in column.notion.adjectives[key]
        if " " not in word
    ]


def question(speaker: Speaker) -> Pieces:
    """Return a question; its values and columns are asked about, not wished for."""
    speaker.shows("questions")
    kind = speaker.one_of(ASKS)
    speaker.does(f"ask_{kind}")
    said = _filled(speaker, speaker.cue(f"framing.ask.{kind}"))
    return [*said, *plain("?")] if speaker.chance(0.7) else said


def nothing(speaker: Speaker) -> Pieces:
    """Return a turn that holds no wish at all."""
    speaker.shows("nothing")
    draw = speaker.random.random()
    if draw < 0.36:
        return question(speaker)
    if draw < 0.62:
        return decoy_sentence(speaker)
    if draw < 0.8:
        act = speaker.one_of(SOCIAL)
        speaker.does(act)
        return _filled(speaker, speaker.cue(f"framing.social.{act}"))
    speaker.does("not_understood")
    return _filled(
        speaker, speaker.cue(f"framing.chat.{speaker.one_of(('nonsense', 'rude', 'foreign'))}")
    )


def opening_alone(speaker: Speaker) -> Pieces:
    """Return what kind of thing is looked for, and nothing else."""
    speaker.shows("nothing")
    speaker.does("inform")
    noun = speaker.one_of(speaker.catalog.domain.items)
    if speaker.chance(0.3):
        return speaker.words("framing.open.plural", ns=plural(noun))
    return speaker.words("framing.open.thing", an=with_article([], noun))


def _filled(speaker: Speaker, cue: Cue) -> Pieces:
    if "{" not in cue.template or cue.template.startswith('{"'):
        return plain(cue.template)
    noun = speaker.one_of(speaker.catalog.domain.items)
    column = speaker.one_of(speaker.catalog.columns)
    name = speaker.called(column)
    number = speaker.random.randint(2, 60)
    digits = "".join(str(speaker.random.randint(0, 9)) for _ in range(7))
    spoken = number_words(number) if speaker.voice else str(number)
    day = TODAY + timedelta(days=speaker.random.randint(1, 200))
    clock = f"{speaker.random.randint(6, 22):02}:{speaker.one_of(('00', '30'))}"
    slots: dict[str, str | Pieces] = {
        "n": noun,
        "an": with_article([], noun),
        "ns": plural(noun),
        "col": name,
        "cols": name if name.endswith("s") else plural(name),
        "num": _decoy(speaker, spoken),
        "digits": _decoy(speaker, digits),
        "phone": _decoy(speaker, f"0{digits[:3]} {digits[2:]}"),
        "oldyear": _decoy(speaker, str(speaker.random.randint(1960, 2024))),
        "money": _decoy(speaker, say_money(speaker.random.randint(1, 60) * 50, speaker.random)),
        "date": _decoy(speaker, say_date(day, TODAY, speaker.random)),
        "clock": _decoy(speaker, say_time(clock, speaker.random)),
        "span": _decoy(speaker, span_words(speaker.random.randint(1, 11), speaker.random)),
        "past": _decoy(speaker, speaker.one_of(PAST)),
        "soon": _decoy(speaker, speaker.one_of(SOON)),
        "city": _decoy(speaker, speaker.one_of(CITIES)),
        "val": _value(speaker, ""),
        "aval": _value(speaker, "a_ "),
        "val2": _value(speaker, ""),
        "adj": _decoy(speaker, speaker.one_of(_adjective(speaker, "low", "high") or ["nice"])),
        "sup": _decoy(
            speaker, speaker.one_of(_adjective(speaker, "lowest", "highest") or ["best"])
        ),
    }
    return speaker.fill(cue, **slots)


def _decoy(speaker: Speaker, text: str) -> Pieces:
    mark = speaker.mark()
    speaker.means(Meant("decoy", mark))
    return [(text, mark)]


def _value(speaker: Speaker, article: str) -> Pieces:
    """Return a value of some column, or a foreign one where no column holds words."""
    columns = [column for column in speaker.catalog.columns if column.kind in WORDY]
    if not columns:
        return _decoy(speaker, "the other one")
    column = speaker.one_of(columns)
    value = str(speaker.one_of(column.values))
    return [*plain(article), *_decoy(speaker, value.lower() if speaker.chance(0.5) else value)]
