"""Nurse-Family Partnership: some member is expecting a first child.

Question 1: up to 28 weeks pregnant with a first baby. Question 2: lives in New York City.
Question 3: eligible for Medicaid. The closing sentence excludes nobody.
Reading: who is a parent already does not expect a first baby; 28 weeks are less than six and a
half months, so the last full month is the sixth.
"""


def expecting(m):
    return (
        0 < m["months_pregnant"] <= 6  # up to 28 weeks pregnant
        and not m["is_parent"]  # with a first baby
        and m["eligible_for_medicaid"]  # eligible for Medicaid
    )


def eligible(hh):
    if hh["place_of_residence"] != "New York City":  # lives in New York City
        return False
    return any(expecting(m) for m in hh)
