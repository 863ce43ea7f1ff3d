"""Basic STAR, asked of the household that owns its home.

Introduction and its bullets: a homeowner of a listed kind of housing. Table row 1: no limit of
age. Row 2: the home is an owner's primary residence. Row 3, first bullet: owners and their
spouses living there have up to 500,000 in all.
Reading: any member may be the owner; the second bullet of row 3 (the exemption that can no
longer be applied for) is left out.
"""

HOMES = (
    "2 bedroom, 1 family house",
    "4 bedroom, 1 family house",
    "condo",
    "cooperative apartment",
    "manufactured home",
    "farmhouse",
    "mixed use property",
)
COUPLE = ("self", "spouse")


def income(m):
    return m["annual_work_income"] + m["annual_investment_income"]


def owners_income(hh):
    couple_owns = any(m["relation"] in COUPLE and m["is_property_owner"] for m in hh)
    total = 0
    for m in hh:
        # an owner, or the spouse of one
        if m["is_property_owner"] or (couple_owns and m["relation"] in COUPLE):
            total += income(m)
    return total


def eligible(hh):
    if hh["housing_type"] not in HOMES:  # a kind of home that can have the relief
        return False
    if not hh["primary_residence"]:  # the home is the primary residence
        return False
    if not any(m["is_property_owner"] for m in hh):  # somebody owns the home
        return False
    return owners_income(hh) <= 500000  # owners and their spouses have 500,000 or less
