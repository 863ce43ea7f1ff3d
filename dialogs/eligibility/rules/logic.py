"""Read a section as one rule: which of its sentences and list items must hold together.

Patterns tell "all of these", "any of", "at least two of", "not eligible if" from remarks, examples
and asides, which are passed over and reported. Costs some thirty patterns a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .clauses import (
    LIMITS_HERE,
    PREFIX,
    Not,
    Rule,
    all_of,
    any_of,
    read_clause,
    sentences_of,
    with_limits,
)
from .comparisons import comparison, with_digits
from .conditions import Condition, condition, condition_of_item, content_stems
from .outline import Node, Section, income_limits, leaves

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
    r"|for more information|contact\b|to apply\b|learn more"
    r"|you (?:may|might|can) (?:also )?(?:need|be asked) to (?:show|bring|provide)"
    r"|priority|preference|preferred|how to|deadline|see (?:below|the)|note that|please\b|click\b)",
    re.IGNORECASE,
)
_REQUIRES = re.compile(
    r"\b(?:must|should|needs? to|has to|have to|required|only|eligible|qualif\w+|open to"
    r"|available to|limited to|cannot|may not|at least|no more than)\b"
    r"|^(?:if\b|be\b|you (?:are|have|live|were|own)\b)",
    re.IGNORECASE,
)


@dataclass
class Reading:
    """What a section says, and what of it was passed over."""

    rule: Rule | None
    passed_over: tuple[str, ...]


def read_section(section: Section) -> Reading:
    """Return the rule of a section: all its requirements, with its exclusions."""
    limits = income_limits(section)
    reader = _SectionReader(has_limits=limits is not None)
    parts = [rule for node in section.nodes if (rule := reader.node(node)) is not None]
    if limits is not None and not reader.used_limits:
        parts.append(limits)
    elif limits is not None:
        parts = [with_limits(part, limits) for part in parts]
    rule = all_of(parts) if parts else _whole(section)
    return Reading(rule, tuple(reader.passed_over))


def _with_digits(text: str) -> str:
    """Return a text with its number words as digits."""
    return " ".join(with_digits(text, counts=True).split())


_POINTS_TO_TABLE = re.compile(
    r"\bincome\b.*\b(?:table|chart|amounts?|limits?|below|guidelines?|following|these)\b"
    r"|\b(?:table|chart)\b.*\bincome\b|\bincome\b.*\b(?:amounts?|limits?)\b",
    re.IGNORECASE,
)


MAX_WHOLE = 300
"""Characters of a section that become one question."""


def _whole(section: Section) -> Rule | None:
    """Return a section in which no requirement was found as one question about all of it."""
    text = " ".join(node.text for node in leaves(section.nodes))[:MAX_WHOLE].strip()
    return condition(f"you meet this: {text}", text) if content_stems(text) else None


class _SectionReader:
    def __init__(self, *, has_limits: bool) -> None:
        self.passed_over: list[str] = []
        self.used_limits = False
        self.has_limits = has_limits

    def node(self, node: Node) -> Rule | None:
        """Return what a node requires; None where it requires nothing."""
        if node.below:
            return self._group(node)
        rules = self._sentences(sentences_of(node.text), node)
        return all_of(rules) if rules else None

    def _sentences(self, sentences: Sequence[str], node: Node) -> list[Rule]:
        rules = (self._sentence(sentence, is_item=node.is_item) for sentence in sentences)
        return [rule for rule in rules if rule is not None]

    def _group(self, node: Node) -> Rule | None:
        """Return a node with a list below it: what it says itself, and what the list says."""
        *before, lead = sentences_of(node.text) or [""]
        own = self._sentences(before, node)
        text = _with_digits(lead)
        if _DEFINES.match(lead) or (_EXAMPLES.search(text) and not _ANY.search(text)):
            self.passed_over += [lead, *(item.text for item in node.below)]
            return all_of(own) if own else None
        below = [rule for item in node.below if (rule := self._item(item, lead)) is not None]
        if not below:
            return all_of(own) if own else None
        negated = bool(_NOT_ELIGIBLE.search(text))
        head = self._head(lead, node, below)
        if head and all(re.match(r"or\b", item.text, re.I) for item in node.below):
            return all_of([*own, any_of([all_of(head), *below])])
        group = self._combined(text, below, node, negated=negated)
        return all_of([*own, *head, Not(group) if negated else group])

    def _item(self, node: Node, lead: str) -> Rule | None:
        """Return what a list's item requires; a bare noun stands for the words above it."""
        text = node.text.strip(" .;,")
        bare = re.sub(r"\([^()]*\)", "", text)
        points = self.has_limits and _POINTS_TO_TABLE.search(text)
        is_noun = (
            not points and not node.below and not _SAYS.search(bare) and len(bare.split()) <= 14
        )
        if is_noun and (_KINDS.search(lead) or _ASKS.match(lead)) and comparison(text) is None:
            question = PREFIX.sub("", _TO_BE.sub("", lead))
            return condition_of_item(question, re.sub(r"^(?:and|or)\s+", "", text))
        return self.node(node)

    def _combined(self, text: str, below: list[Rule], node: Node, *, negated: bool) -> Rule:
        count = _COUNT.search(text)
        if count and int(count["count"]) > 1:
            return any_of(below, int(count["count"]))
        if _ANY.search(text) or (negated and not _EACH.search(text)):
            return any_of(below)
        if _KINDS.search(text) or (_ASKS.match(text) and _are_kinds(below)):
            return any_of(below)
        texts = [item.text.rstrip(" .;,").lower() for item in node.below]
        joined_by_or = [text.endswith(" or") or text.startswith("or ") for text in texts]
        if len(texts) > 1 and any(joined_by_or) and not _EACH.search(text):
            return any_of(below)
        return all_of(below)

    def _head(self, lead: str, node: Node, below: Sequence[Rule]) -> list[Rule]:
        """Return what the sentence above a list requires beside the list."""
        if _are_kinds(below):
            return []
        text = lead.rstrip(": ")
        match = _LEAD.match(text)
        if match:
            text = match["rest"]
        if _NOT_ELIGIBLE.search(_with_digits(lead)):
            return []
        text = _DOWN.sub("", _with_digits(text)).strip(" ,;:")
        if not content_stems(text) or _BARE_LEAD.match(text) or _points_down(text):
            return []
        if not node.is_item and not _REQUIRES.search(text) and not match:
            return []
        rule = read_clause(text, text)
        return [] if rule is None else [rule]

    def _sentence(self, sentence: str, *, is_item: bool) -> Rule | None:
        text = sentence.strip()
        if not text or not (content_stems(text) or re.search(r"\d", text)):
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
        match = _LEAD.match(text)
        is_if = text[:3].lower() == "if "
        who = None if negated or match or is_if else (_WHO.match(text) or _FOR_WHOM.match(text))
        if match:
            text = match["rest"].strip()
        elif who:
            return read_clause(_one_of(who["who"].strip()), text)
        elif negated or (_BARE_LEAD.match(_with_digits(text)) and not is_item):
            self.passed_over.append(text)
            return None
        rule = read_clause(text, sentence.strip())
        return Not(rule) if negated and rule is not None else rule


def _are_kinds(rules: Sequence[Rule]) -> bool:
    """Return whether a list names kinds of what stands above it."""
    kinds = [isinstance(rule, Condition) and ": " in rule.text for rule in rules]
    return 2 * sum(kinds) > len(kinds)


_ANYONE = re.compile(
    r"^(?:anyone|everyone|anybody|everybody|people|individuals|persons|those|adults)\b\s*(who\s+)?",
    re.IGNORECASE,
)


def _one_of(who: str) -> str:
    """Return whom a program is for as what is true of one of them."""
    match = _ANYONE.match(who)
    if match is None or not who[match.end() :].strip():
        return f"you are one of these: {who}"
    rest = who[match.end() :]
    return rest if match[1] else f"you are {rest}"


_SAYS = re.compile(
    r"\b(?:is|are|was|were|be|been|have|has|had|do|does|did|can|cannot|must|may|will|live|lives"
    r"|own|owns"
    r"|receive|receives|work|works|get|gets|need|needs|apply|earn|earns|pay|pays|you|your|my)\b",
    re.IGNORECASE,
)
_TO_BE = re.compile(r"^(?:to|in order to) [^,]{3,160},\s*", re.IGNORECASE)


def _points_down(text: str) -> bool:
    return bool(re.search(r"\b(?:following|these|below)\b", text, re.IGNORECASE)) or bool(
        _ANY.search(_with_digits(text))
    )
