"""The English that extraction reads: units, bounds, negation, waivers."""

from __future__ import annotations

import re

from ..language.numbers import AT_LEAST, AT_MOST, OR_LESS, OR_MORE

CURRENCY_SIGNS = "$€£¥₹"
CURRENCY_WORDS = frozenset("dollar dollars usd euro euros eur bucks buck gbp chf quid".split())
MONTHS = {
    name: number
    for number, names in enumerate(
        "january jan|february feb|march mar|april apr|may|june jun|july jul|august aug"
        "|september sep sept|october oct|november nov|december dec".split("|"),
        start=1,
    )
    for name in names.split()
}

_SIZES: dict[str, dict[str, float]] = {
    "bytes": {"mb": 1e6, "gb": 1e9, "gig": 1e9, "gigabyte": 1e9, "tb": 1e12, "terabyte": 1e12},
    "mass": {"g": 1.0, "gram": 1.0, "kg": 1e3, "kilo": 1e3, "kilogram": 1e3}
    | dict.fromkeys(("lb", "pound"), 453.59237),
    "length": {"m": 1.0, "meter": 1.0, "km": 1e3, "kilometer": 1e3, "mile": 1609.344},
    "span": {"cm": 1.0, "inch": 2.54},
    "time": {"min": 1.0, "minute": 1.0, "h": 60.0, "hr": 60.0, "hour": 60.0}
    | {"day": 1440.0, "week": 10080.0, "month": 43800.0},
    "area": {"sqm": 1.0, "m2": 1.0, "sqft": 0.09290304},
}
UNITS = {
    unit: (dimension, size) for dimension, sizes in _SIZES.items() for unit, size in sizes.items()
}
"""A unit (stemmed), its dimension, and its size there; a column's own unit is in its name."""

_ADJECTIVES = {
    ("price", ">"): "more expensive|pricier",
    ("price", "<"): "cheaper",
    ("year", ">"): "more recent|newer|later",
    ("year", "<"): "older|earlier",
    ("weight", ">"): "heavier",
    ("weight", "<"): "lighter",
    ("size", ">"): "bigger|larger",
    ("size", "<"): "smaller",
    ("distance", ">"): "further|farther",
    ("distance", "<"): "closer|nearer",
    ("speed", ">"): "faster",
    ("speed", "<"): "slower",
    ("height", ">"): "taller",
    ("power", ">"): "more powerful",
    ("", ">"): "longer|wider|deeper|thicker|louder|higher|better|more|greater",
    ("", "<"): "shorter|narrower|thinner|quieter|lower|worse|less|fewer",
}
COMPARATIVES = {
    adjective: meaning
    for meaning, adjectives in _ADJECTIVES.items()
    for adjective in adjectives.split("|")
}
"""What is said before `than`: the topic it is about (empty: any), and the operator."""

_BEFORE = {
    ">=": rf"{AT_LEAST}|start(?:s|ing)?\s+(?:at|from)|upwards?\s+of|over|above|north\s+of|≥|>=|=>"
    r"|since|from|as\s+of|as\s+new\s+as",
    "<=": rf"{AT_MOST}|under|below|≤|<=|=<|until|till|cap(?:\s+is)?(?:\s+of)?"
    r"|limit(?:ed)?(?:\s+(?:of|to|is|at))?|ceiling\s+of|as\s+much\s+as|no\s+later\s+than|by",
    ">": r"after|beyond|past|in\s+excess\s+of|exceed(?:s|ing)?|>",
    "<": r"before|prior\s+to|<",
    "==": r"exactly|precisely|==?|equal\s+to",
    "~": r"around|about|roughly|approximately|approx\b\.?|circa|close\s+to|something\s+like|~",
}
_THAN = "|".join(rf"{adjective}(?:\s+[a-z]+)?\s+than" for adjective in COMPARATIVES)
_WORDY = {op: rf"(?<![a-z]){'(?:' + body + ')'}(?![a-z])" for op, body in _BEFORE.items()}
BEFORE = re.compile(
    "|".join(
        [
            rf"(?P<than>(?<![a-z])(?:{_THAN})(?![a-z]))",
            *(rf"(?P<o{number}>{_WORDY[op]})" for number, op in enumerate(_BEFORE)),
        ]
    ),
    re.IGNORECASE,
)
BEFORE_OPERATORS = tuple(_BEFORE)

AFTER = re.compile(
    r"\s{0,3}(?:"
    rf"(?P<low>\+|plus\b|(?:or|and)\s+(?:{OR_MORE}|up|newer|later|beyond"
    r"|upwards?|bigger|larger|faster|after)\b|at\s+(?:the\s+)?(?:very\s+)?least\b"
    r"|as\s+a\s+minimum|at\s+(?:a|the)\s+minimum|min(?:imum)?\b)"
    rf"|(?P<high>(?:or|and)\s+(?:{OR_LESS}|cheaper|older|earlier|smaller|closer"
    r"|nearer|lighter|shorter|before)\b|tops\b|max(?:imum)?\b|at\s+(?:the\s+)?(?:very\s+)?most\b"
    r"|at\s+the\s+latest\b|as\s+a\s+maximum)"
    r"|(?P<near>ish\b|or\s+so\b|or\s+thereabouts|give\s+or\s+take)"
    r")",
    re.IGNORECASE,
)

NOT_BEFORE = re.compile(
    r"(?:\b(?:no|not|never|nothing|cannot|without|none|nor|neither|cant|dont|wont)\b|n['’]t\b)"
    r"(?:\s+[\w'’]+){0,3}\s*$",
    re.IGNORECASE,
)
"""A negation whose reach goes to the end of the text given."""

NEGATIONS = frozenset(
    "no not never without except avoid excluding exclude neither nor hate dislike cannot non "
    "besides instead".split()
)
NEGATING_PAIRS = frozenset(
    tuple(pair.split())
    for pair in "anything but|anywhere but|everywhere but|anyone but|everything but|all but"
    "|other than|rather than|apart from|aside from|stay away|w o|w out".split("|")
)
LINKING = frozenset("or and nor a an the any either of in on also with too".split())
"""Words that may stand between the values of one list."""

YIELDING = frozenset(
    "compromise compromising budge budging bend bending flexible flexibility negotiate negotiable "
    "negotiating sacrifice sacrificing waver wavering yield yielding concede conceding lose losing "
    "forgo forgoing".split()
)
"""What is denied after these is giving the value up, not the value: `not willing to bend on X`."""

BACK_REFERENCES = frozenset("all both these those".split())
"""A spelled number after these counts things named before: `all three matter`."""

UNNEEDED = re.compile(
    r"\b(?:(?:do|does|did|would)(?:\s+not|n['’]t)\s+(?:really\s+|necessarily\s+)?(?:need|have\s+to"
    r"|require|care|mind|matter)|no\s+need|not\s+(?:necessary|needed|required|important|essential)"
    r"|is(?:n['’]t|\s+not)\s+(?:necessary|needed|required|important|essential)|needn['’]t"
    r"|need\s+not|unimportant|irrelevant|optional)\b",
    re.IGNORECASE,
)
UNNEEDED_AFTER = re.compile(
    r"\b(?:needed|necessary|required|either\s+way|optional|(?:is|are)(?:n['’]t|\s+not)\s+\w+"
    r"|(?:does|do)(?:n['’]t|\s+not)\s+matter)\b",
    re.IGNORECASE,
)
WAIVER = re.compile(
    r"\b(?:no\s+(?:particular\s+|real\s+|strong\s+)?preferences?|any(?:thing)?\s+(?:is|goes|will|works"
    r"|would)|(?:do(?:es)?(?:\s+not|n['’]t))\s+(?:really\s+|much\s+)?(?:care|mind|matter)"
    r"|whatever|not\s+important|(?:is|are)(?:n['’]t|\s+not)\s+(?:\w+\s+)?important|unimportant"
    r"|no\s+opinion|all\s+the\s+same|open\s+to\s+any(?:thing)?|indifferent|up\s+to\s+you"
    r"|not\s+bothered|not\s+fussy|not\s+picky)\b|^\W*any\W*$",
    re.IGNORECASE,
)
CONCESSION = re.compile(
    r"\b(?:(?:could|would|might|may|can|['’]d)\s+(?:also\s+|even\s+|still\s+)?(?:consider|be|work|do"
    r"|settle|live\s+with|accept|take|compromise|switch)|open\s+to|settle\s+for|compromise|fallback"
    r"|alternatively|or\s+even|if\s+need\s+be|at\s+a\s+pinch|fine\s+with|okay\s+with|ok\s+with)\b",
    re.IGNORECASE,
)
"""What leads in a second choice, or follows it."""

SUPPOSITION = re.compile(
    r"\b(?:even\s+)?if\b(?!\s+(?:possible|available|at\s+all|need))", re.IGNORECASE
)

CONSEQUENCE = re.compile(
    r",\s*(?:let\s+it\s+be|make\s+it|it\s+(?:can|could|should|would)\s+be|it['’]s|i['’](?:d|ll)"
    r"|(?:i|we)\s+(?:would|could|can|will)|then)\b",
    re.IGNORECASE,
)
"""Where a supposition ends and what follows from it begins."""

YES = re.compile(r"^\W*(?:yes|yeah|yep|sure|definitely|absolutely|of\s+course|please)\b", re.I)
NO = re.compile(r"^\W*(?:no|nope|nah|not\s+really|never)\b", re.I)

COMMON = frozenset(
    "a an the and or of in on at to for with by from is it its be as i we you he she they my "
    "our me us this that these those one other others any some all none no not yes new old "
    "large small big high low good best better great nice fine fast slow long short standard "
    "basic free full light heavy open close near far early late first last next more most "
    "less least very much many few own only just also too so if but do does did have has had "
    "can could will would should may might must need want like love prefer look looking find "
    "get give go see say use make made take work time day way thing things place home house "
    "car room rooms number unknown na n/a mode choice value budget price cost city country "
    "clear plain hot cold warm main what which who how when where else later earlier real "
    "really please thanks hello hi food night week month year them here there about over "
    "under".split()
)
"""Words that mean a catalog's value only where something else says so."""
