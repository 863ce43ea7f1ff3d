"""Nurse-Family Partnership: some member is expecting a first child.

Question 1: up to 28 weeks pregnant with a first baby. Question 2: lives in New York City.
Question 3: eligible for Medicaid. The closing sentence excludes nobody.
Reading: who is a parent already does not expect a first baby; a month of pregnancy is four
weeks, so 28 weeks are seven months.
"""


def expecting(m):
    return (
        0 < m["months_pregnant"] <= 7  # up to 28 weeks pregnant
        and not m["is_parent"]  # with a first baby
        and m["eligible_for_medicaid"]  # eligible for Medicaid
    )


def eligible(hh):
    if hh["place_of_residence"] != "New York City":  # lives in New York City
        return False
    return any(expecting(m) for m in hh)
