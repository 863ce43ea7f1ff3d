"""Mitchell-Lama housing, asked of the household.

Bullets 1-2 and the table: income of the household up to the limit for its size.
Reading: some development must be open to the household, so the highest of the three columns
(which are alike but for the first) is its limit; beyond the last row that limit stays.
"""

LIMITS = {
    1: 135875,
    2: 155375,
    3: 174750,
    4: 194125,
    5: 209625,
    6: 225125,
    7: 240750,
    8: 256250,
}


def yearly_income(hh):
    return sum(m["annual_work_income"] + m["annual_investment_income"] for m in hh)


def eligible(hh):
    return yearly_income(hh) <= LIMITS[min(len(hh), 8)]  # yearly income at or below the limit
