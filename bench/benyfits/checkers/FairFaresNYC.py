"""Fair Fares: some member qualifies.

Question 1: lives in New York City. Question 2: 18 to 64 years old. Question 3 and its table:
income of the household up to the limit for its size.
Reading: beyond the last row of the table its limit stays.
"""

LIMITS = {
    1: 18072,
    2: 24528,
    3: 30984,
    4: 37440,
    5: 43896,
    6: 50352,
    7: 56808,
    8: 63264,
    9: 69720,
    10: 76176,
    11: 82632,
    12: 89088,
    13: 95544,
    14: 102000,
}


def yearly_income(hh):
    return sum(m["annual_work_income"] + m["annual_investment_income"] for m in hh)


def eligible(hh):
    if hh["place_of_residence"] != "New York City":  # lives in New York City
        return False
    if not any(18 <= m["age"] <= 64 for m in hh):  # somebody is 18 to 64 years old
        return False
    return yearly_income(hh) <= LIMITS[min(len(hh), 14)]  # yearly income at or below the limit
