"""Family Planning Benefit Program: some member qualifies.

Criterion 1: a resident of New York State. Criterion 2: a citizen, national or lawfully present.
Criterion 3 and its table: monthly income of the household up to the limit for its size, each
further person included.
Reading: of the places that are known only New York City is in the state; the income is that of
the whole family, since its size sets the limit.
"""

LIMITS = {
    1: 2799,
    2: 3799,
    3: 4799,
    4: 5598,
    5: 6798,
    6: 7798,
    7: 8798,
    8: 9798,
}
EACH_FURTHER = 1000


def limit(size):
    return LIMITS[min(size, 8)] + EACH_FURTHER * max(0, size - 8)


def yearly_income(hh):
    return sum(m["annual_work_income"] + m["annual_investment_income"] for m in hh)


def eligible(hh):
    if hh["place_of_residence"] != "New York City":  # lives in New York State
        return False
    if all(m["citizenship"] == "unlawful_resident" for m in hh):  # somebody is lawfully present
        return False
    return yearly_income(hh) <= 12 * limit(len(hh))  # monthly income at or below the limit
