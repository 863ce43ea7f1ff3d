"""Family homelessness and eviction prevention supplement (FHEPS), asked of the family.

Requirement 1, one of its bullets: a child under 18, one under 19 in high school or vocational
training, or a pregnant person. Requirement 2: cash assistance. Requirement 3, one of its
bullets: an HRA shelter; a DHS shelter and eligible for an HRA shelter; evicted within the last
12 months, or being evicted.
Reading: any member's eviction counts; 0 months ago means never; an eviction in the year before a
DHS shelter (requirement 3, bullet 3) is one within the last 12 months. Whether an eviction was
in the city is no known fact.
"""


def family_member(m):
    return (
        m["age"] < 18  # a child under 18
        or (m["age"] < 19 and in_training(m))  # a child under 19 in school or training
        or m["months_pregnant"] > 0  # a pregnant person
    )


def in_training(m):
    return (
        m["current_school_level"] in (9, 10, 11, 12)  # in high school
        or m["enrolled_in_vocational_training"]  # in vocational training
    )


def evicted(m):
    return (
        m["currently_being_evicted"]  # being evicted
        or 0 < m["evicted_months_ago"] <= 12  # evicted within the last 12 months
    )


def eligible(hh):
    if not any(family_member(m) for m in hh):
        return False
    if not any(m["receives_cash_assistance"] for m in hh):  # an active cash assistance case
        return False
    if hh["housing_type"] == "HRA shelter":  # in an HRA shelter
        return True
    # in a DHS shelter, and eligible for an HRA shelter
    if hh["housing_type"] == "DHS shelter" and hh[0]["eligible_for_hra_shelter"]:
        return True
    return any(evicted(m) for m in hh)
