"""Disabled Homeowners' Exemption (DHE), asked of the household that owns its home.

Requirement 1: a house, condo or coop apartment is owned. Requirement 2: all owners have
disabilities, or one of them where a spouse or sibling owns too. Requirement 3: it is the primary
residence. Requirement 4: owners have up to 58,399 in all. Last paragraph: not in a supervised
development; the kinds of home of requirement 1 leave those out.
Reading: spouses and siblings are those of the applicant.
"""

HOMES = (
    "2 bedroom, 1 family house",
    "4 bedroom, 1 family house",
    "condo",
    "cooperative apartment",
)
CLOSE = ("self", "spouse", "sibling")


def income(m):
    return m["annual_work_income"] + m["annual_investment_income"]


def disabled_owners(hh):
    # all owners have disabilities
    if all(m["disabled"] for m in hh if m["is_property_owner"]):
        return True
    # only spouses or siblings own the home, and one of them has a disability
    close = all(m["relation"] in CLOSE for m in hh if m["is_property_owner"])
    return close and any(m["is_property_owner"] and m["disabled"] for m in hh)


def eligible(hh):
    if hh["housing_type"] not in HOMES:  # a house, condo or coop apartment
        return False
    if not hh["primary_residence"]:  # the home is the primary residence
        return False
    if not any(m["is_property_owner"] for m in hh):  # somebody owns the home
        return False
    if not disabled_owners(hh):  # owners with disabilities
        return False
    return sum(income(m) for m in hh if m["is_property_owner"]) <= 58399  # 58,399 or less
