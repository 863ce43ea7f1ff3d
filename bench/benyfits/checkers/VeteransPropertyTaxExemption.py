"""Veterans' property tax exemption: some member can answer all three questions.

Question 1: owner of the property, spouse of the owner, or the owner's surviving spouse.
Question 2: it is the primary residence. Question 3, all bullets: a veteran who served in one of
the listed conflicts.
Reading: questions 1 and 3 are about the same person, as the text asks one person for all.
"""

COUPLE = ("self", "spouse")


def holds(hh, m):
    return (
        m["is_property_owner"]  # owns the property
        or m["propery_owner_widow"]  # the owner's widow or widower
        # married to the owner
        or (
            m["relation"] in COUPLE
            and any(o["relation"] in COUPLE and o["is_property_owner"] for o in hh)
        )
    )


def eligible(hh):
    if not hh["primary_residence"]:  # the property is the primary residence
        return False
    # a veteran of a listed conflict who owns the property or is or was married to the owner
    return any(m["conflict_veteran"] and holds(hh, m) for m in hh)
