"""Enhanced STAR, asked of the household that owns its home.

Introduction and its bullets: a homeowner of a listed kind of housing. Table row 1: all owners
are 65 or older; one is enough where only a married couple or only siblings own. Row 2: the home
is the primary residence of an owner of that age. Row 3: owners and resident spouses have up to
98,700 in all.
Reading: owners are members, so an owner of that age lives in the home; the age is today's.
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
SIBLINGS = ("self", "sibling")


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


def old_enough(hh):
    # all owners are 65 or older
    if all(m["age"] >= 65 for m in hh if m["is_property_owner"]):
        return True
    # only a married couple owns the home
    couple = all(m["relation"] in COUPLE for m in hh if m["is_property_owner"])
    # only siblings own the home
    siblings = all(m["relation"] in SIBLINGS for m in hh if m["is_property_owner"])
    # then one of them is enough
    return (couple or siblings) and any(m["is_property_owner"] and m["age"] >= 65 for m in hh)


def eligible(hh):
    if hh["housing_type"] not in HOMES:  # a kind of home that can have the relief
        return False
    if not hh["primary_residence"]:  # the home is the primary residence
        return False
    if not any(m["is_property_owner"] for m in hh):  # somebody owns the home
        return False
    if not old_enough(hh):  # owners of 65 or older
        return False
    return owners_income(hh) <= 98700  # owners and their spouses have 98,700 or less
