"""The English that answers are read with: yes and no, people, doubt, time, negation."""

from __future__ import annotations

import re

YES = frozenset(
    "yes yeah yep yup yea aye sure correct right exactly indeed absolutely definitely certainly "
    "affirmative true".split()
)
NO = frozenset("no nope nah negative false".split())
NEGATIVE = frozenset(
    "not n't no never none nobody nothing neither nor without unable dont doesnt isnt arent cant "
    "didnt wasnt wont hasnt havent aint lack lacks".split()
)

FILLER = frozenset(
    """a an the so well oh um uh er hmm then also too just only even really actually both either
    each please of course though still already currently now today at moment that this it there
    here yes no is are am was were be been being 'm 's 're 've 'll 'd do does did done have has had
    can could will would should may might must and or but as my our his her their your i me we us
    he she they them him you who which what all any some one ones people person member members
    household family rest other others else same case myself himself herself themselves ourselves
    if because since to in on for with from by than not n't never none nobody neither nor far like
    about maybe perhaps probably think hi hello thanks thank okay ok sorry wait mean every kind
    least more less up over under between until except excepting excluding apart aside besides
    counting save anymore longer no nope yep yeah yup nah how much many anything something nothing
    sometimes always often usually anybody somebody anyone someone everything ever before used
    neither either though alone got get gets put puts around roughly approximately almost nearly
    exactly total altogether""".split()
)
"""Words that say nothing about which fact an answer is about."""

UNSURE = re.compile(
    r"\b(?:i\s+)?(?:really\s+|honestly\s+)?(?:don['’]?t|do\s+not|couldn['’]?t|could\s+not|can['’]?t"
    r"|cannot|can\s+not|wouldn['’]?t|would\s+not)\s+(?:really\s+|quite\s+|exactly\s+)?"
    r"(?:know|remember|recall|say|tell)(?:\s+(?:you|for\s+sure|exactly|that|offhand))*"
    r"|\b(?:(?:i['’]?m|i\s+am|we['’]?re|we\s+are)\s+)?(?:really\s+|honestly\s+)?not\s+"
    r"(?:really\s+|quite\s+|entirely\s+|too\s+|at\s+all\s+|a\s+hundred\s+percent\s+)?(?:sure|certain)"
    r"|\b(?:i\s+have\s+|i['’]ve\s+)?(?:no|not\s+a)\s+(?:idea|clue)|\b(?:i['’]m\s+|i\s+am\s+)?unsure\b"
    r"|\bdunno\b|\bwho\s+knows\b|\bhard\s+to\s+say\b|\bbeats\s+me\b|\bno\s+comment\b"
    r"|\b(?:i['’]?d|i\s+would)\s+(?:rather|prefer)\s+not(?:\s+to)?(?:\s+(?:say|answer|tell))?"
    r"|\bprefer\s+not(?:\s+to)?(?:\s+(?:say|answer|tell))?"
    r"|\b(?:i['’]?d|i\s+would)\s+have\s+to\s+(?:check|look|ask|find)(?:\s+(?:that\s+)?up)?"
    r"|\bit['’]?s\s+unknown\b|\bneed\s+to\s+(?:check|look\s+(?:that|it)\s+up)\b"
    r"|\bmight\s+or\s+might\s+not\b|\bmaybe,?\s+maybe\s+not\b",
    re.IGNORECASE,
)
DISBELIEF = re.compile(
    r"\b(?:i\s+)?(?:don['’]?t|do\s+not)\s+(?:really\s+)?(?:think|believe)\b"
    r"|(?<!am\s)(?<!'m\s)\bused\s+to\b",
    re.IGNORECASE,
)
"""What makes a sentence a denial: it is not thought to be so, or no longer is."""

SO = re.compile(r"\bi\s+(?:do\s+)?(?:think|believe|guess|suppose|hope)\s+so\b", re.IGNORECASE)
HEDGE = re.compile(
    r"\b(?:i['’]d|i\s+would|i\s+do|i)\s+(?:really\s+|just\s+)?"
    r"(?:think|believe|guess|suppose|assume|say|mean|reckon|know|fear|figure|told\s+you)\b"
    r"(?:\s+that\b)?"
    r"|\bas\s+far\s+as\s+(?:i|we)\s+know\b|\bto\s+(?:my|our)\s+knowledge\b|\bto\s+be\s+honest\b"
    r"|\bif\s+i\s+(?:remember|recall)\s*(?:right|rightly|correctly|it\s+right)?\b"
    r"|\b(?:i['’]m|i\s+am)\s+(?:pretty\s+|quite\s+|fairly\s+|very\s+)?"
    r"(?:sure|certain|afraid|happy\s+to\s+say|sorry)\b(?:\s+that\b)?"
    r"|\bof\s+course\b|\bas\s+i\s+said\b|\blet\s+me\s+think\b|\bi\s+see\b"
    r"|\byou\s+know\b|\bfor\s+sure\b|\bno\s+(?:doubt|problem|worries)\b|\bat\s+the\s+moment\b"
    r"|\bright\s+now\b|\bthank\s+(?:you|god)\b|\bgood\s+question\b|\bat\s+all\b",
    re.IGNORECASE,
)
DIGRESSION = re.compile(
    r"\bby\s+the\s+way\b|\bincidentally\b|\bon\s+another\s+note\b|\bwhile\s+(?:we['’]re|i['’]m)"
    r"\s+at\s+it\b|\bjust\s+so\s+you\s+know\b|\bin\s+case\s+it\s+matters\b|\bbtw\b",
    re.IGNORECASE,
)
CORRECTION = re.compile(
    r"\b(?:sorry|no,?\s+wait|wait|correction|scratch\s+that|i\s+meant?|let\s+me\s+correct"
    r"|make\s+that|on\s+second\s+thought)\b",
    re.IGNORECASE,
)

ALL = (
    "everyone|everybody|all of us|both of us|each of us|every one of us|each one of us"
    "|each and every one of us|every single one of us|the two of us|the three of us"
    "|the four of us|the five of us|we all|we both|us all|us both|all members|the whole family"
    "|my whole family|our whole family|the whole household|my whole household|the entire family"
    "|the entire household|my entire family|all of my family"
)
NONE = (
    "nobody|no one|noone|none|neither|none of us|neither of us|not one of us"
    "|not a single one of us|not any of us|no member"
)
REST = (
    "the rest|the others|everyone else|everybody else|nobody else|no one else|none of the others"
    "|none of the rest|neither of the others|the other ones|the other one|the other two"
    "|the other three|the rest of us|the rest of them|the rest of my family|all the others"
    "|the rest of the family|the rest of the household|all others|the remaining ones"
    "|the rest of my household|everyone else in the household|nobody else in the household"
    "|everybody else in the family|no one else in the household|no one else in the family"
)
TAILS = (
    "in my household|in our household|in the household|in this household|in my family"
    "|in our family|in the family|in the house|at home|here|in our home|in my home"
)
"""Phrases for everyone, for no one, for those not named yet, and what may follow the first two."""
EXCEPT = tuple(
    tuple(phrase.split())
    for phrase in "apart from|aside from|other than|save for|not counting|except for|except"
    "|excepting|excluding|besides|but not|but".split("|")
)
ONLY = frozenset("only just solely merely".split())


def _by_word(words: dict[str, str]) -> dict[str, str]:
    """Return what each word stands for, from the words of each thing."""
    return {word: meaning for meaning, listed in words.items() for word in listed.split()}


SPOUSE, CHILD = "spouse", "child"
RELATION_NOUNS = _by_word(
    {
        SPOUSE: "wife husband spouse partner hubby fiance fiancee wives husbands spouses",
        CHILD: "child son daughter kid boy girl baby toddler teen teenager infant newborn",
        "stepchild": "stepchild stepson stepdaughter stepkid",
        "grandchild": "grandchild grandson granddaughter grandkid grandbaby",
        "sibling": "sibling brother sister bro sis",
        "niece or nephew": "niece nephew",
        "cousin": "cousin",
        "friend": "friend roommate housemate flatmate",
        "parent": "parent mother father mom dad mum mama papa mommy daddy",
        "grandparent": "grandparent grandmother grandfather grandma grandpa granny",
        "aunt or uncle": "aunt uncle auntie",
        "parent-in-law": "inlaw",
        "other": "boarder lodger tenant",
    }
)
"""Nouns for people, in the singular, and what relation to the speaker they name."""

PLURALS = {"children": CHILD, "stepchildren": "stepchild", "grandchildren": "grandchild"}
CHILDLIKE = ("child", "adopted child", "stepchild", "foster child", "grandchild")
QUALIFIED = _by_word(
    {
        "foster child": "foster",
        "adopted child": "adopted adoptive",
        "stepchild": "step",
        "grandchild": "grand",
    }
)
"""What an adjective before a noun for a child makes of it."""

ADJECTIVES = frozenset(
    "old older oldest young younger youngest elder eldest little big small dear late middle first "
    "second third twin biological teenage adult grown own two three four five six other "
    "good best close".split()
)
POSSESSIVES = frozenset("my our the his her their a an".split())
PREPOSITIONS = frozenset("with to by than of on near like about for from in under over".split())

PERIODS = {"year": 1.0, "month": 12.0, "week": 52.0, "day": 365.0}
"""How often each goes into a year."""

ADVERBS = _by_word(
    {
        "year": "annually annual yearly",
        "month": "monthly",
        "week": "weekly",
        "day": "daily",
        "hour": "hourly",
    }
)
TIME_WORDS = _by_word(
    {
        "year": "year years yr yrs yo",
        "month": "month months mo mos",
        "week": "week weeks wk wks",
        "day": "day days",
        "hour": "hour hours hr hrs",
    }
)

INEXACT = frozenset(
    "over under above below least most than max maximum minimum fewer exceed exceeds".split()
)
"""Words before a number that make it a bound, from which no value follows."""

ORDINALS = {
    word: number
    for number, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(),
        1,
    )
}
SYNONYMS = _by_word(
    {
        "new york city": "nyc",
        "new york": "ny",
        "new jersey": "nj",
        "k": "kindergarten kindergartner",
        "pk": "preschool preschooler prekindergarten prek nursery",
        "college": "university undergraduate",
        "apartment": "flat",
        "unlawful": "undocumented",
        "lawful resident": "greencard",
        "hse diploma": "hse",
    }
)
"""Words that values of a choice are also called."""

ANTONYMS: dict[str, tuple[str, ...]] = {
    "singl": ("married", "jointly"),
    "separately": ("jointly",),
    "unemploy": ("employed", "works"),
    "employ": ("unemployed",),
    "retir": ("works",),
    "rent": ("owns",),
    "healthy": ("disabled", "ill"),
}
"""Stems that deny a key which holds one of some words, without a negation."""

NEGATIVES_IN_KEYS = frozenset(("no", "without"))
"""Negations that can be part of what a key says: `without help`, `through no fault`."""

AUXILIARIES = frozenset(
    "am is are was were 'm 's 're do does did have has had 've can could will would".split()
)
"""Verbs that may leave out what they say: `I do`, `she isn't`."""
