"""Senior Citizen Homeowners' Exemption (SCHE), asked of the household that owns its home.

Requirement 1: a house, condo or coop apartment is owned. Requirement 2: all owners are 65 or
older, or one of them where a spouse or sibling owns too. Requirement 3: it is the owners'
primary residence. Requirement 4: owners have up to 58,399 in all. Requirement 5: owned for 12
months, or an earlier property had the exemption.
Reading: spouses and siblings are those of the applicant; the months are those of any owner.
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


def old_enough(hh):
    # all owners are 65 or older
    if all(m["age"] >= 65 for m in hh if m["is_property_owner"]):
        return True
    # only spouses or siblings own the home, and one of them is old enough
    close = all(m["relation"] in CLOSE for m in hh if m["is_property_owner"])
    return close and any(m["is_property_owner"] and m["age"] >= 65 for m in hh)


def eligible(hh):
    if hh["housing_type"] not in HOMES:  # a house, condo or coop apartment
        return False
    if not hh["primary_residence"]:  # the home is the primary residence
        return False
    if not any(m["is_property_owner"] for m in hh):  # somebody owns the home
        return False
    if not old_enough(hh):  # owners of 65 or older
        return False
    if sum(income(m) for m in hh if m["is_property_owner"]) > 58399:  # owners have 58,399 or less
        return False
    # owned for at least 12 months
    if any(m["is_property_owner"] and m["months_owned_property"] >= 12 for m in hh):
        return True
    # the exemption was had on an earlier property
    return any(m["is_property_owner"] and m["had_previous_sche"] for m in hh)
