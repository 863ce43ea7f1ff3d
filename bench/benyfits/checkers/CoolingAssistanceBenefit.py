"""Cooling assistance of HEAP, asked of the household.

Requirement 1, one of its bullets: a member with a condition that heat makes worse, of 60 or
older, or under 6. Requirement 2: a citizen or legal resident. Requirement 3: no working air
conditioner, or an old one. Requirement 4: none from HEAP in the last five years. Requirement 5,
one of its bullets: SNAP, Temporary Assistance or Code A SSI; NYCHA or Section 8 housing with heat
in the rent; or monthly gross income up to the limit, each further person included.
Reading: the air conditioner and the rent are asked of the applicant; no HEAP unit at all counts
as 0 years ago, and one of five years ago is within the last five.
"""

LIMITS = {
    1: 3035,
    2: 3970,
    3: 4904,
    4: 5838,
    5: 6772,
    6: 7706,
    7: 7881,
    8: 8056,
    9: 8231,
    10: 8407,
    11: 8582,
    12: 8890,
    13: 9532,
}
EACH_FURTHER = 642


def yearly_income(hh):
    return sum(m["annual_work_income"] + m["annual_investment_income"] for m in hh)


def low_income(hh):
    limit = LIMITS[min(len(hh), 13)] + EACH_FURTHER * max(0, len(hh) - 13)
    return yearly_income(hh) <= 12 * limit  # monthly gross income at or below the limit


def needs_cooling(hh):
    return (
        any(m["age"] < 6 or m["age"] >= 60 for m in hh)  # under 6, or 60 or older
        or any(m["heat_exacerbated_condition"] for m in hh)  # a condition that heat makes worse
    )


def heated_by_landlord(hh):
    return (
        hh["housing_type"] in ("NYCHA development", "Section 8")  # NYCHA or Section 8 housing
        and hh[0]["heat_included_in_rent"]  # heat is included in the rent
    )


def assisted(hh):
    return (
        hh["receives_snap"]  # receives SNAP
        or heated_by_landlord(hh)
        or any(m["receives_temporary_assistance"] for m in hh)  # Temporary Assistance
        or any(m["receives_ssi"] for m in hh)  # Code A Supplemental Security Income
    )


def eligible(hh):
    if not needs_cooling(hh):
        return False
    if hh[0]["ac"]:  # no working air conditioner, or an old one
        return False
    if 0 < hh[0]["got_heap_ac"] <= 5:  # none from HEAP in the last five years
        return False
    if all(m["citizenship"] == "unlawful_resident" for m in hh):  # a citizen or legal resident
        return False
    return low_income(hh) or assisted(hh)
