"""Commodity Supplemental Food Program (CSFP): some member qualifies.

Question 1: 60 or older. Question 2: a resident of New York State, whatever the citizenship.
Question 3 and its table: income of the household up to the limit, each further person included.
Reading: of the places that are known only New York City is in the state.
"""

LIMITS = {
    1: 19578,
    2: 26572,
    3: 33566,
    4: 40560,
    5: 47554,
    6: 54548,
    7: 61542,
    8: 68536,
}
EACH_FURTHER = 6994


def limit(size):
    return LIMITS[min(size, 8)] + EACH_FURTHER * max(0, size - 8)


def yearly_income(hh):
    return sum(m["annual_work_income"] + m["annual_investment_income"] for m in hh)


def eligible(hh):
    if hh["place_of_residence"] != "New York City":  # lives in New York State
        return False
    if not any(m["age"] >= 60 for m in hh):  # somebody is 60 or older
        return False
    return yearly_income(hh) <= limit(len(hh))  # yearly income at or below the limit
