"""How the conditions of a program hang together: all of these, any of these, none, so many of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from .comparisons import comparison, spelled
from .conditions import Condition, condition, content, income_key, listed_under
from .outline import Node, Section, leaves
from .tables import income_limits


@dataclass(frozen=True)
class AllOf:
    """Every part holds."""

    parts: tuple[Rule, ...]


@dataclass(frozen=True)
class AtLeast:
    """At least `count` of the parts hold; 1 is any of them."""

    parts: tuple[Rule, ...]
    count: int = 1


@dataclass(frozen=True)
class Not:
    """The part does not hold."""

    part: Rule


Rule = Condition | AllOf | AtLeast | Not

_ANY = re.compile(
    r"\b(?:(?:at least )?1 (?:or more )?of|any(?: (?:one|1))? of|either|1 or more|any of|at least 1"
    r"|(?:one|any) (?:applies|apply)|(?:one|any) of)\b",
    re.IGNORECASE,
)
_COUNT = re.compile(r"\b(?:at least )?(?P<count>\d{1,2})\s*(?:or more )?(?:of|or more of)\b", re.I)
_EACH = re.compile(r"\b(?:all|both|each|every one)\b", re.IGNORECASE)
_EXAMPLES = re.compile(
    r"\b(?:such as|for example|e\.g\.|includ(?:e|es|ing)|for instance|like the following)\b", re.I
)
_NOT_ELIGIBLE = re.compile(
    r"\b(?:not (?:be )?(?:eligible|qualify|entitled|apply|able to apply)|ineligible|disqualified"
    r"|excluded|(?:do|does|will|would) not qualify|(?:cannot|can't|can not|may not) (?:apply|get"
    r"|qualify|receive|be eligible))\b",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^.{0,200}?\b(?:eligible|eligibility|qualif(?:y|ies)|entitled|apply|applies|open|available)\b"
    r".{0,120}?\b(?:if|when|provided that|as long as|for those who|to those who|to anyone who"
    r"|for anyone who|to (?:\w+ )?(?:people|residents|adults|individuals|families"
    r"|households) who)\b\s*"
    r"(?:that\s+)?(?P<rest>.*)$",
    re.IGNORECASE,
)
_CUE = re.compile(
    r"\b(?:following|these|below|of those|1 of|requirements?|questions?|criteria|conditions?|apply"
    r"|applies|true|meet|either|any|eligible|qualify|all|both|if|you|who|must)\b.*:$|:$",
    re.IGNORECASE,
)
_DOWN = re.compile(
    r"(?:[,;]?\s*\b(?:and|but|if|when|that|plus)\s+)?"
    r"(?:(?:you|they|who|applicants?|families|your \w+)\s+)?(?:(?:must|should|need to|also"
    r"|either)\s+)*"
    r"(?:(?:meet|meets|have|satisfy|fulfil|fall into|belong to)\s+)?(?:at\s+)*"
    r"(?:(?:at least|least)\s+)?(?:1|any|all|both|each|either|some|\d{1,2})(?:\s*1)?(?:\s+or more)?"
    r"\s+of\s+(?:these|the following|those|the below)\b[^.]*$",
    re.IGNORECASE,
)
_DEFINES = re.compile(
    r"^(?!.*\b(?:you|your|must|applicants?|households?|eligible|qualify|requirements?|following)\b)"
    r"(?:the )?[\w' -]{3,70} (?:are|is|include|includes|means?)\s*:?$",
    re.IGNORECASE,
)
_REMARK = re.compile(
    r"^(?:(?:this|these|it|they|that|those)\s+(?:include|includes|can|could|may|is|are|also|will)\b"
    r"|qualifying \w+ (?:include|are)\b"
    r"|(?:the )?\w+ may (?!not\b)(?!.*\b(?:eligible|qualif\w+|apply|entitled)\b))",
    re.IGNORECASE,
)
_KINDS = re.compile(r"\b(?:these|the following) (?:types?|kinds?|forms?)\b", re.IGNORECASE)
_ASKS = re.compile(r"^(?:do|does|are|is|have|has|did|can|will|were|was)\b", re.IGNORECASE)
_WHO = re.compile(
    r"^(?:all |any |every )?(?P<who>[^,.]{3,200}?)\s+(?:are|is|may be|can be) (?:eligible"
    r"|entitled)\b[^,.]*\.?$",
    re.IGNORECASE,
)
_FOR_WHOM = re.compile(
    r"^.{0,160}?\b(?:open|available|offered|limited|restricted)\s+(?:only\s+)?(?:to"
    r"|for)\s+(?P<who>.{3,240})$",
    re.IGNORECASE,
)
_BARE_LEAD = re.compile(
    r"^(?:(?:to|in order to)\b.*|.*\b(?:all|each|any|1|one|at least 1) of (?:the following"
    r"|these)\b.*"
    r"|.*\b(?:the following|these)(?: \w+){0,3}(?: (?:apply|applies|must|are|is) ?.*)?"
    r"|.*\b(?:requirements?|criteria|conditions?|questions?)"
    r"|(?:who|you|applicants?|families|households|people|residents)"
    r"(?: (?:can|may|must|should|need to|are|is|who|to|be|have|has|also|both|either|qualify"
    r"|eligible|if|apply))*"
    r"|eligib\w+|all of|any of|one of|(?:open|available|offered|limited) (?:to|for) .{1,80}"
    r" (?:who|that|which))"
    r"[:.]?$",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"\b(?:call \d|visit\b|https?:|www\.|apply (?:online|at|by|in person|through)"
    r"|for more information"
    r"|contact\b|to apply\b|learn more|you (?:may|might|can) (?:also )?(?:need"
    r"|be asked) to (?:show|bring|provide)"
    r"|priority|preference|preferred|how to|deadline|see (?:below|the)|note that|please\b|click\b)",
    re.IGNORECASE,
)
_REQUIRES = re.compile(
    r"\b(?:must|should|needs? to|has to|have to|required|only|eligible|qualif\w+|open to"
    r"|available to"
    r"|limited to|cannot|may not|at least|no more than)\b|^(?:if\b|be\b|you (?:are|have|live"
    r"|were|own)\b)",
    re.IGNORECASE,
)
_PREFIX = re.compile(
    r"^(?:(?:and|or|also|then|but|additionally|in addition|finally)[,:]?\s+)*"
    r"(?:(?:the )?(?:applicants?|participants?|candidates?|individuals?|people|persons?|you|they"
    r"|one|households?|families|residents|anyone|everyone"
    # Whoever else a program calls its own: drivers, members. Not what belongs to them.
    r"|(?!(?:children|parents|owners|dependents|spouses|incomes?|homes?)\b)[a-z-]{3,30}(?<!s)s)\s+"
    r"(?:(?:who|that)\s+)?)?"
    r"(?:(?:must|should|shall|will|needs? to|has to|have to|are required to|is required to)\s+)"
    r"(?:also\s+|currently\s+|either\s+|all\s+|both\s+)?",
    re.IGNORECASE,
)
_VERBS = (
    r"(?:is|are|was|were|be|have|has|had|live|lives|reside|resides|own|owns|rent|rents|earn"
    r"|earns|work|works"
    r"|receive|receives|hold|holds|meet|meets|attend|attends|pay|pays|do|does|can|cannot|must|may"
    r"|need|needs|get|gets|not|no|never|use|uses|plan|care|provide|serve|served|file|lost|at least"
    r"|receiving|living|working|attending|caring|renting|owning|looking"
    r"|enroll\w*|under|over|between|aged?|currently|an? \w+ (?:citizen|resident|veteran|student"
    r"|parent|member))"
)
_AND = re.compile(
    rf"\s*(?:;\s*(?:and\s+)?|,\s+and\s+(?=(?:your?|{_VERBS})\b)|,\s+(?=(?:your?|{_VERBS})\b)"
    rf"|\s+and\s+(?={_VERBS}\b))\s*",
    re.I,
)
_OR = re.compile(
    rf"\s*(?:;\s*or\s+|,\s*or\s+(?={_VERBS}\b)|\s+or\s+(?={_VERBS}\b)|,\s*(?={_VERBS}\b))\s*", re.I
)
_UNLESS = re.compile(r",?\s+(?:unless|except (?:if|when))\s+", re.IGNORECASE)
_IF_FIRST = re.compile(r"^if\s+(?P<if>[^,]{3,200}),\s+(?:then\s+)?(?P<then>.{3,})$", re.IGNORECASE)
_IF_LAST = re.compile(
    r"^(?P<then>.{3,200}?),?\s+(?:if|when)\s+(?P<if>you\b.{3,200})$", re.IGNORECASE
)
_NEED = re.compile(r"^(?:you )?needs? (?=an?\b|the\b|your\b|proof\b|at least\b)", re.IGNORECASE)
_THEIRS = re.compile(
    r"^((?:your|the) [\w' -]{2,50}?) (?:must|should|needs? to|has to|have to) (be|have)\b", re.I
)
_IS = {"be": "is", "have": "has"}
MAX_PARTS, MAX_WHOLE = 12, 300


@dataclass
class Reading:
    """What a section says, and what of it was passed over."""

    rule: Rule | None
    passed_over: tuple[str, ...]


def read_section(section: Section) -> Reading:
    """Return the rule of a section: all its requirements, with its exclusions."""
    reader = _SectionReader()
    limits = income_limits(section)
    parts = list(reader.nodes(section.nodes, top=True, has_limits=limits is not None))
    if limits is not None and not reader.used_limits:
        parts.append(limits)
    elif limits is not None:
        parts = [_with_limits(part, limits) for part in parts]
    rule = _all(parts) if parts else _whole(section)
    return Reading(rule, tuple(reader.passed_over))


def _counted(text: str) -> str:
    """Return a text with its number words as digits."""
    return " ".join(spelled(text, counts=True).split())


LIMITS_HERE = Condition(income_key(True), "", "income within the table's limits", True)
"""Stands where a sentence points to the table of limits."""


def _with_limits(rule: Rule, limits: Rule) -> Rule:
    if rule is LIMITS_HERE:
        return limits
    if isinstance(rule, AllOf):
        return AllOf(tuple(_with_limits(part, limits) for part in rule.parts))
    if isinstance(rule, AtLeast):
        return AtLeast(tuple(_with_limits(part, limits) for part in rule.parts), rule.count)
    if isinstance(rule, Not):
        return Not(_with_limits(rule.part, limits))
    return rule


def _all(parts: Sequence[Rule]) -> Rule:
    flat = [
        inner for part in parts for inner in (part.parts if isinstance(part, AllOf) else (part,))
    ]
    return flat[0] if len(flat) == 1 else AllOf(tuple(flat))


def _any(parts: Sequence[Rule], count: int = 1) -> Rule:
    return parts[0] if len(parts) == 1 else AtLeast(tuple(parts), min(count, len(parts)))


_POINTS_TO_TABLE = re.compile(
    r"\bincome\b.*\b(?:table|chart|amounts?|limits?|below|guidelines?|following|these)\b"
    r"|\b(?:table|chart)\b.*\bincome\b|\bincome\b.*\b(?:amounts?|limits?)\b",
    re.IGNORECASE,
)


def _whole(section: Section) -> Rule | None:
    """Return a section in which no requirement was found as one question about all of it."""
    text = " ".join(node.text for node in leaves(section.nodes))[:MAX_WHOLE].strip()
    return condition(f"you meet this: {text}", text) if content(text) else None


class _SectionReader:
    def __init__(self) -> None:
        self.passed_over: list[str] = []
        self.used_limits = False
        self.has_limits = False

    def nodes(
        self, nodes: Sequence[Node], *, top: bool, has_limits: bool = False
    ) -> Iterator[Rule]:
        self.has_limits = self.has_limits or has_limits
        for node in nodes:
            rule = self.node(node, top=top)
            if rule is not None:
                yield rule

    def node(self, node: Node, *, top: bool) -> Rule | None:
        """Return what a node requires; None where it requires nothing."""
        if node.below:
            return self._group(node)
        found = [
            rule
            for sentence in sentences_of(node.text)
            if (rule := self._sentence(sentence, is_item=node.is_item)) is not None
        ]
        return _all(found) if found else None

    def _group(self, node: Node) -> Rule | None:
        """Return a node with a list below it: what it says itself, and what the list says."""
        *before, lead = sentences_of(node.text) or [""]
        own = [
            rule
            for sentence in before
            if (rule := self._sentence(sentence, is_item=node.is_item)) is not None
        ]
        said = _counted(lead)
        if _DEFINES.match(lead) or (_EXAMPLES.search(said) and not _ANY.search(said)):
            self.passed_over += [lead, *(one.text for one in node.below)]
            return _all(own) if own else None
        below = [rule for one in node.below if (rule := self._item(one, lead)) is not None]
        if not below:
            return _all(own) if own else None
        negated = bool(_NOT_ELIGIBLE.search(said))
        head = self._head(lead, node, below)
        if head and all(re.match(r"or\b", one.text, re.I) for one in node.below):
            return _all([*own, _any([_all(head), *below])])
        group = self._combined(said, below, node, negated=negated)
        return _all([*own, *head, Not(group) if negated else group])

    def _item(self, node: Node, lead: str) -> Rule | None:
        """Return what a list's item requires; a bare noun stands for the words above it."""
        text = node.text.strip(" .;,")
        bare = re.sub(r"\([^()]*\)", "", text)
        points = self.has_limits and _POINTS_TO_TABLE.search(text)
        is_noun = (
            not points and not node.below and not _SAYS.search(bare) and len(bare.split()) <= 14
        )
        if is_noun and (_KINDS.search(lead) or _ASKS.match(lead)) and comparison(text) is None:
            asked = _PREFIX.sub("", _TO_BE.sub("", lead))
            return listed_under(asked, re.sub(r"^(?:and|or)\s+", "", text))
        return self.node(node, top=False)

    def _combined(self, said: str, below: list[Rule], node: Node, *, negated: bool) -> Rule:
        count = _COUNT.search(said)
        if count and int(count["count"]) > 1:
            return _any(below, int(count["count"]))
        if _ANY.search(said) or (negated and not _EACH.search(said)):
            return _any(below)
        if _KINDS.search(said) or (_ASKS.match(said) and _are_kinds(below)):
            return _any(below)
        texts = [one.text.rstrip(" .;,").lower() for one in node.below]
        joined_by_or = [one.endswith(" or") or one.startswith("or ") for one in texts]
        if len(texts) > 1 and any(joined_by_or) and not _EACH.search(said):
            return _any(below)
        return _all(below)

    def _head(self, lead: str, node: Node, below: Sequence[Rule]) -> list[Rule]:
        """Return what the sentence above a list requires beside the list."""
        if _are_kinds(below):
            return []
        text = lead.rstrip(": ")
        found = _LEAD.match(text)
        if found:
            text = found["rest"]
        if _NOT_ELIGIBLE.search(_counted(lead)):
            return []
        text = _DOWN.sub("", _counted(text)).strip(" ,;:")
        if not content(text) or _BARE_LEAD.match(text) or _points_down(text):
            return []
        if not node.is_item and not _REQUIRES.search(text) and not found:
            return []
        rule = self._clause(text, text)
        return [] if rule is None else [rule]

    def _sentence(self, sentence: str, *, is_item: bool) -> Rule | None:
        text = sentence.strip()
        if not text or not (content(text) or re.search(r"\d", text)):
            return None
        if self.has_limits and _POINTS_TO_TABLE.search(text):
            self.used_limits = True
            return LIMITS_HERE
        if _ASIDE.search(text) or (not is_item and not _REQUIRES.search(text)):
            self.passed_over.append(text)
            return None
        if _REMARK.match(text) and not text.endswith("?"):
            self.passed_over.append(text)
            return None
        negated = bool(_NOT_ELIGIBLE.search(text))
        found = _LEAD.match(text)
        is_if = text[:3].lower() == "if "
        who = None if negated or found or is_if else (_WHO.match(text) or _FOR_WHOM.match(text))
        if found:
            text = found["rest"].strip()
        elif who:
            return self._clause(_one_of(who["who"].strip()), text)
        elif negated or (_BARE_LEAD.match(_counted(text)) and not is_item):
            self.passed_over.append(text)
            return None
        rule = self._clause(text, sentence.strip())
        return Not(rule) if negated and rule is not None else rule

    def _clause(self, text: str, sentence: str) -> Rule | None:
        """Return a clause, cut where it says unless, if, and, or."""
        text = _PREFIX.sub("", text.strip(" ,;")).strip(" ,;")
        text = _NEED.sub("have ", text)
        text = _THEIRS.sub(lambda found: f"{found[1]} {_IS[found[2].lower()]}", text)
        text = re.sub(r"(?:[,;]\s*|\s+)(?:and|or)$", "", text.strip(" .")).strip()
        if not content(text) and not re.search(r"\d", text):
            return None
        unless = _UNLESS.split(text, maxsplit=1)
        if len(unless) == 2 and all(map(_balanced, unless)):
            return _pair(self._clause, unless[0], unless[1], sentence, _any)
        implied = _IF_FIRST.match(text) or _IF_LAST.match(text)
        if implied and _balanced(implied["if"]) and _balanced(implied["then"]):
            if_part = self._clause(implied["if"], implied["if"])
            then = self._clause(implied["then"], sentence)
            if if_part is None or then is None:
                return then
            return _any([Not(if_part), then])
        for pattern, joined in ((_AND, _all), (_OR, _any)):
            parts = _split(pattern, text)
            if len(parts) > 1:
                rules = [rule for one in parts if (rule := self._clause(one, one)) is not None]
                if rules:
                    return joined(rules)
        return condition(text, sentence)


def _pair(
    read: Callable[[str, str], Rule | None],
    first: str,
    second: str,
    sentence: str,
    joined: Callable[[Sequence[Rule]], Rule],
) -> Rule | None:
    rules = [one for one in (read(first, sentence), read(second, second)) if one is not None]
    return joined(rules) if rules else None


def _are_kinds(rules: Sequence[Rule]) -> bool:
    """Return whether a list names kinds of what stands above it."""
    kinds = [isinstance(one, Condition) and ": " in one.text for one in rules]
    return 2 * sum(kinds) > len(kinds)


def _balanced(text: str) -> bool:
    return text.count("(") == text.count(")")


_ANYONE = re.compile(
    r"^(?:anyone|everyone|anybody|everybody|people|individuals|persons|those|adults)\b\s*(who\s+)?",
    re.IGNORECASE,
)


def _one_of(who: str) -> str:
    """Return whom a program is for as what is true of one of them."""
    found = _ANYONE.match(who)
    if found is None or not who[found.end() :].strip():
        return f"you are one of these: {who}"
    rest = who[found.end() :]
    return rest if found[1] else f"you are {rest}"


_SAYS = re.compile(
    r"\b(?:is|are|was|were|be|been|have|has|had|do|does|did|can|cannot|must|may|will|live|lives"
    r"|own|owns"
    r"|receive|receives|work|works|get|gets|need|needs|apply|earn|earns|pay|pays|you|your|my)\b",
    re.IGNORECASE,
)
_TO_BE = re.compile(r"^(?:to|in order to) [^,]{3,160},\s*", re.IGNORECASE)


def _points_down(text: str) -> bool:
    return bool(re.search(r"\b(?:following|these|below)\b", text, re.IGNORECASE)) or bool(
        _ANY.search(_counted(text))
    )


_GLUE = "\ue000"
_LIMIT = re.compile(
    r"\d[\d,.]*(?: \w+){0,3}? (?:or|and) (?:older|over|above|more|up|higher|greater|younger|under"
    r"|below|less|fewer|lower|better|longer)\b"
    r"|\bbetween (?:the ages of |ages )?[$€£]?\d[\d,.]* and [$€£]?\d[\d,.]*",
    re.IGNORECASE,
)
"""Limits that hold an "or" of their own."""


def _split(pattern: re.Pattern[str], text: str) -> list[str]:
    """Return the parts of a clause, unless cutting it would take a comparison apart."""
    if pattern is _OR and not re.search(r"\bor\b", text):
        return [text]
    if pattern is _AND and re.search(r"\bboth\b.*\band\b", text, re.IGNORECASE):
        return [text]
    has_or = re.search(r",\s*or\s|\bor\s+" + _VERBS + r"\b", text, re.IGNORECASE)
    if pattern is _AND and has_or and not re.search(r"\band\b|;", text):
        return [text]
    kept = _LIMIT.sub(lambda found: found[0].replace(" ", _GLUE), text)
    parts = [one.replace(_GLUE, " ").strip() for one in pattern.split(kept) if one and one.strip()]
    if not all(map(_balanced, parts)):
        return [text]
    if len(parts) > MAX_PARTS or any(
        not content(one) and not re.search(r"\d", one) for one in parts
    ):
        return [text]
    return parts


_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"(])")
_ABBREVIATED = re.compile(r"\b(?:e\.g|i\.e|U\.S|Mr|Mrs|Dr|St|No|approx|etc|vs)\.$")


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a text."""
    found: list[str] = []
    for part in _END.split(text):
        if found and _ABBREVIATED.search(found[-1]):
            found[-1] += f" {part}"
        elif part.strip():
            found.append(part.strip())
    return found
