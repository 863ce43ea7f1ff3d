"""Medicaid for pregnant women: some member is pregnant.

Question 1: a resident of New York State. Question 2 and the table: yearly income of the family
up to the limit for its size, unborn children and each further person included. Question 3:
pregnant.
Reading: each pregnancy counts as one unborn child; of the places that are known only New York
City is in the state.
"""

LIMITS = {
    1: 33584,
    2: 45581,
    3: 57579,
    4: 69576,
    5: 81573,
    6: 93571,
    7: 105568,
    8: 117566,
}
EACH_FURTHER = 11997


def limit(size):
    return LIMITS[min(size, 8)] + EACH_FURTHER * max(0, size - 8)


def yearly_income(hh):
    return sum(m["annual_work_income"] + m["annual_investment_income"] for m in hh)


def eligible(hh):
    if hh["place_of_residence"] != "New York City":  # lives in New York State
        return False
    unborn = sum(1 for m in hh if m["months_pregnant"] > 0)  # pregnant
    if unborn == 0:  # somebody is pregnant
        return False
    return yearly_income(hh) <= limit(len(hh) + unborn)  # yearly income at or below the limit
