"""The rules by which a sentence, or the background alone, opens points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .background import Background
from .matching import mentions, speaks_of
from .options import Option, OptionGroup
from .points import Ledger, OpenKind, OpenPoint
from .said import Said, clauses, read_answers, sentences
from .stems import han, stems
from .wording import form, which

_KIND_OF: Mapping[str, OpenKind] = {"kind": "kind", "kind of": "options"}
"""What a thing by itself leaves open, by the rule that found it; any other: where to get it."""

_FORM_OF = {"mentioned": "source", "mentioned twice": "what", "goal": "person"}


@dataclass(frozen=True, slots=True)
class Openings:
    """Opens points in a ledger."""

    known: Background
    ledger: Ledger

    def from_sentence(self, sentence: str, said: Sequence[Said], turn: int) -> None:
        """Open what a sentence of an answer leaves open."""
        named = self.known.named(sentence)
        groups = self.known.mentioned(sentence, named)
        things = [s for s in said if s.kind == "thing" and self.known.unknown(s.text)]
        for thing in things:
            self._thing(thing, groups, named)
        got = any(self._to_be_had(thing) for thing in things)
        for group in groups:
            if group.place != "scenes" or not got:
                self._group(group, sentence)
        for one in said:
            if one.kind == "action" and turn:
                self._add(
                    f"how {one.text}", "how", "how", one.text, self._form("how", action=one.text)
                )
        for option in self.known.options:
            meant = [group for group in groups if option in group.options]
            if option in named or any(_barred_alike(group) for group in meant):
                self._barred(option, "barred named")

    def from_background(self) -> None:
        """Open what nobody spoke of: groups, restrictions, and options of no group."""
        told = [s for answer in self.ledger.heard for s in sentences(self.known.lang, answer)]
        named = {option for sentence in told for option in self.known.named(sentence)}
        for group in self.known.groups:
            spoken_of = named & set(group.options) or self.ledger.of_group(group)
            if not spoken_of and not self.known.inside(group):
                self._add_group(_key(group), "unmentioned", group, "")
        for option in self.known.options:
            self._barred(option, "barred")
        self._left(named)

    def _left(self, named: set[Option]) -> None:
        grouped = {option for group in self.known.groups for option in group.options}
        for place in ("items", "skills", "scenes"):
            mine = [option for option in self.known.options if option.place == place]
            left = [o.name for o in mine if o not in grouped and o not in named]
            if len(left) > 1:
                way = "left scenes" if place == "scenes" else "left"
                question = self._form(way, options=left)
                self._add(f"left {place}", "left", "unused", "", question, options=left)

    # Groups

    def _group(self, group: OptionGroup, sentence: str) -> None:
        old = self.ledger.points.get(_key(group))
        if old is not None and not old.closed:
            if old.rule == "unmentioned" or len(self.ledger.heard) > old.opened:
                self.ledger.speak_of(old, "group", sentence)
        elif self.ledger.of_group(group):
            self._add_group(f"{_key(group)} {sentence}", "group again", group, sentence)
        else:
            self._add_group(_key(group), "group", group, sentence)

    def _add_group(self, key: str, rule: str, group: OptionGroup, sentence: str) -> None:
        shown = self.known.shown(group, sentence)
        options = [option.name for option in group.options]
        question = which(self.known.lang, group.place, shown, options)
        if rule == "group again":
            about = max(clauses(sentence), key=lambda part: mentions(part, group.label))
            question = self._form("about", clause=about, question=question)
        point = OpenPoint("options", shown, tuple(options), question)
        self.ledger.add(key, rule, point, group=group, sentence=sentence)

    # Things

    def _thing(self, said: Said, groups: Sequence[OptionGroup], named: Sequence[Option]) -> None:
        if self._dealt_with(said.text):
            return
        places = [group for group in groups if group.place == "scenes"]
        if places and self._to_be_had(said):
            at = min(places, key=lambda group: self._far(group, said))
            self._thing_at(said, at)
        elif not any(option.place == "scenes" for option in named):
            self._thing_alone(said)

    def _dealt_with(self, thing: str) -> bool:
        held = [held.thing for held in self.ledger.points.values() if held.thing]
        if any(speaks_of(other, thing) or speaks_of(thing, other) for other in held):
            return True
        return any(speaks_of(told, thing) for told in self.ledger.heard[:-1])

    def _to_be_had(self, said: Said) -> bool:
        return said.wanted and not said.vague and not self.known.is_goal(said.text)

    def _far(self, group: OptionGroup, said: Said) -> tuple[bool, int]:
        """Return how far a group is spoken of from a thing, those answered already last."""
        answered = any(held.closed for held in self.ledger.of_group(group))
        word = self.known.shown(group, said.sentence).split()[-1][:5].lower()
        text = said.sentence.lower()
        return answered, abs(text.find(word) - text.find(said.text.lower()))

    def _thing_at(self, said: Said, at: OptionGroup) -> None:
        options = [option.name for option in at.options]
        label = self.known.shown(at, said.sentence)
        question = self._form("thing at", options=options, label=label, thing=said.text)
        point = OpenPoint("options", said.text, tuple(options), question)
        self.ledger.add(_thing_key(said.text), "thing at", point, group=at, thing=said.text)

    def _thing_alone(self, said: Said) -> None:
        rule, options = self._rule(said), list[str]()
        if rule == "kind of":
            options = self.known.alike(said.text)
        kind = _KIND_OF.get(rule, "source")
        question = self._form(_FORM_OF.get(rule, rule), thing=said.text, options=options)
        point = OpenPoint(kind, said.text, tuple(options), question)
        self.ledger.add(_thing_key(said.text), rule, point, thing=said.text, sentence=said.sentence)

    def _rule(self, said: Said) -> str:
        if said.vague:
            return "kind of" if self.known.alike(said.text) else "kind"
        if self.known.is_goal(said.text):
            return "goal"
        if _is_person(said.text, said.sentence):
            return "person"
        if said.wanted:
            return "source"
        told = self.ledger.heard[-1].lower().count(said.text.lower())
        return "mentioned twice" if told > 1 else "mentioned"

    # Restrictions

    def _barred(self, option: Option, rule: str) -> None:
        if option.inner:
            question = self._form("inner", inner=option.inner, name=option.name)
            self._add(f"inner {option.name}", "inner", "options", option.inner, question)
        if option.barred and option.place == "scenes":
            name = self.known.shared_name(option)
            question = self._form("enter", name=name, barred=option.barred)
            self._add_bar(option.barred, rule, question)
        elif option.barred:
            self._missing(option, rule)

    def _missing(self, option: Option, rule: str) -> None:
        """Ask for each thing that an option requires and that the seeker does not have."""
        said = read_answers(self.known.lang, [option.barred])
        things = [one.text for one in said if one.kind == "thing" and one.wanted]
        for thing in things:
            if not self.known.has(thing):
                question = self._form("needed", thing=thing, name=option.name)
                self._add_bar(thing, rule, question)
        if not things:
            question = self._form("overcome", name=option.name, barred=option.barred)
            self._add_bar(option.barred, rule, question)

    def _add_bar(self, said: str, rule: str, question: str) -> None:
        old = self.ledger.points.get(f"barred {said}")
        if old is not None and old.rule != rule == "barred named":
            self.ledger.speak_of(old, rule, "")
        self._add(f"barred {said}", rule, "restriction", said, question)

    # Wording

    def _add(
        self,
        key: str,
        rule: str,
        kind: OpenKind,
        said: str,
        question: str,
        options: Sequence[str] = (),
    ) -> None:
        self.ledger.add(key, rule, OpenPoint(kind, said, tuple(options), question))

    def _form(self, way: str, /, *, options: Sequence[str] = (), **values: str) -> str:
        return form(self.known.lang, way, options=options, **values)


def _key(group: OptionGroup) -> str:
    return f"group {group.label} {group.place}"


def _thing_key(thing: str) -> str:
    return f"thing {thing if han(thing) else ' '.join(stems(thing))}"


def _barred_alike(group: OptionGroup) -> bool:
    return len({option.barred for option in group.options}) == 1


def _is_person(thing: str, sentence: str) -> bool:
    """Return whether a thing is written as a name; a sentence's first word tells nothing."""
    words = thing.split()
    capitals = sum(word[0].isupper() for word in words)
    return not han(thing) and capitals > sentence.startswith(words[0])
