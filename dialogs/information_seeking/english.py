"""Noun phrases and actions of an English answer, by function words and word order alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from .stems import stem

Phrase = tuple[Literal["thing", "action"], str, bool, bool, str]

_TOKEN = re.compile(r"[A-Za-z0-9][\w'’\-]*|[,.;:!?()\"“”]")
_SENTENCE = re.compile(r"(?<=[.!?;])\s+")
_ARTICLES = frozenset("a an the some any your his her its their another each every both no".split())
_FUNCTION = frozenset(
    "and or but so if then than that this these those which who whom whose what when where "
    "while because since as for from of to in on at by with without into onto through "
    "throughout over under inside outside near around across after before during between until "
    "up down out off away back i you he she it we they me him us them one ones himself itself "
    "yourself oneself is are was were be been being am has have had do does did not n't will "
    "would can could shall should may might must also only just very too again now once here "
    "there first second third next finally however otherwise therefore such more most less "
    "least other others all many much few several both either neither same even still already "
    "almost else always never often usually currently directly simply easily quickly carefully "
    "successfully regularly about along against how why anything something everything nothing "
    "anyone someone enough well available able ready please instead together toward towards "
    "upon afterwards later long there's it's don't you'll you're won't can't doesn't i've i'm "
    "they'll we'll sure yes perhaps although though unless whether maybe no ensure additionally "
    "furthermore moreover meanwhile subsequently possible likely".split()
)
_VERBS = frozenset(
    "requires needs possess lacks lacking missing have has lose fight die dig "
    "go come head return get use need find take bring buy purchase collect obtain acquire "
    "gather make create put place give show wear require choose select carry reach enter leave "
    "exit pass travel cross know see tell ask help let want look keep hold meet start begin "
    "begun complete finish succeed become remain stay live lie located found sold called known "
    "made used needed required guarded given taken placed kept said set lead leads comes goes "
    "makes means allow allows provide provides offer offers sell sells contain contains store "
    "work works appear appears grow grows submit send deliver attend visit access receive "
    "retrieve prepare learn turn try consider remember note follow avoid prevent protect "
    "perform based lose fight die dig defeat destroy kill break built lost stored hidden locked "
    "sealed trapped equipped going using".split()
)
_WANTING = frozenset(
    "get use need find take bring buy purchase collect obtain acquire gather retrieve wear "
    "require give show exchange prepare learn using carry meet see choose select sell sold "
    "contact ask put place insert feed present offer hire borrow rent trade produce pour add "
    "drink eat requires needs wearing needed required include includes including are follows : "
    "such contain possess lacks lacking missing".split()
)
_VAGUE = frozenset(
    "specific certain particular appropriate suitable right proper correct special specialized "
    "specialised designated specially favorite favourite preferred necessary relevant different "
    "various latest newest largest best nearest strongest closest required corresponding "
    "dedicated unique type kind types kinds precise exact".split()
)
_FAVORITE = frozenset("favorite favourite preferred".split())
_SUPERLATIVE = re.compile(
    r"(?!(?:.*for|inter|ne|we|gue|che|que|requ?|harv|te|cont|sugg|hon|arr|inv|re|d?ig|manif)est$)"
    r"[a-z]{3,}est$"
)
_PERSONAL = frozenset("i you he she it we they".split())
_LINKING = frozenset("is are was were be been being too very so get gets become most more".split())
_BEFORE_VERB = frozenset("to can will must should may could would not n't shall might".split())
_ENOUGH = re.compile(
    r"\b(?:enough|all (?:of )?the|all) (?:necessary |needed |required )?(?:information|details)\b|"
    r"\byou (?:now |already )?(?:have|know) everything\b",
    re.IGNORECASE,
)
_COUNTED = frozenset(
    "order time type kind color colour direction position number amount person place location "
    "period method way mode date".split()
)
_ABSTRACT = frozenset(
    "way part day night time place people mission task item skill thing step quantity level "
    "issue order attention problem person hour minute moment front side rest lot amount number "
    "case chance risk danger care need use effect result reason fact form kind type mode world "
    "area attempt path point top end mind back experience journey trip goal purpose help".split()
)


def sentences(text: str) -> list[str]:
    """Return the sentences of a text."""
    return [part.strip() for part in _SENTENCE.split(text) if part.strip()]


def says_enough(text: str) -> bool:
    """Return whether an answer says that nothing is missing."""
    return bool(_ENOUGH.search(text))


def read(text: str) -> Iterator[Phrase]:
    """Yield the phrases of a text in order."""
    for sentence in sentences(text):
        yield from _things(sentence)
        yield from _actions(sentence)


def _things(sentence: str) -> Iterator[Phrase]:
    """Yield runs of words that are neither function words nor verbs where a verb stands."""
    run: list[str] = []
    vague, wanted, previous, lead = False, False, "", ""
    for word in [*_TOKEN.findall(sentence), "."]:
        low = word.lower()
        lead = previous if not run else lead
        if _in_thing(word, previous, run):
            marked = low in _VAGUE or bool(_SUPERLATIVE.fullmatch(low) and not word[0].isupper())
            vague |= marked
            if not marked or low in _FAVORITE:
                run.append(word)
        else:
            acted = len(run) == 1 and low in _ARTICLES and lead not in _ARTICLES
            last = stem(run[-1]) if run else ""
            if run and not acted and (last not in _ABSTRACT or (vague and last in _COUNTED)):
                yield "thing", " ".join(run), vague, wanted, sentence
            run = []
            if low not in {"and", "or", ","} and low not in _ARTICLES:
                wanted = low in _WANTING or (wanted and low == "such")
            vague = False if low not in _ARTICLES else vague
        previous = low


def _in_thing(word: str, previous: str, run: list[str]) -> bool:
    low = word.lower()
    if (
        not word[0].isalnum()
        or re.split("['’]", low)[0] in _FUNCTION
        or low in _ARTICLES
        or low.endswith("ly")
    ):
        return False
    if word[0].isupper() and previous:
        return True
    if run:
        return low not in _VERBS or previous in _VAGUE
    if previous in _ARTICLES or previous in _VAGUE:
        return True
    if low in _VERBS or previous in _BEFORE_VERB or previous in _PERSONAL | _LINKING:
        return False
    return not (
        low.endswith("ing") and previous in {"", "by", "for", "before", "after", "of", "in"}
    )


_ACTION = re.compile(
    r"\b(?:you(?:['’]ll| will)? (?:can|could|must|should|need to|have to|may|might|first need to|"
    r"will need to|also need to)|if you|by) (?:first |then |also )?"
    r"((?!be\b|do\b|not\b)[a-z]+(?:ing)?(?: [\w'’\-]+){1,5}?)"
    r"(?=[,.;!?]|$| (?:and|so|to|in order|before|after|if|when|for|with|by|at|in|from|which|that|"
    r"because|as|then|until|while)\b)"
)


def _actions(sentence: str) -> Iterator[Phrase]:
    for match in _ACTION.finditer(sentence):
        words = match[1].split()
        if words[0] in _FUNCTION or words[0] in _ARTICLES or words[0] in _VERBS:
            continue
        follows = words[1].lower()
        if follows in _ARTICLES or follows in {"it", "them", "yourself"}:
            yield "action", match[1], False, False, sentence
