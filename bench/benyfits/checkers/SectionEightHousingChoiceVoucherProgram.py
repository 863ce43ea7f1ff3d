"""Section 8 housing choice vouchers, asked of the household.

The sentence and its table: income of the family up to the limit for its size.
Reading: the limit itself still qualifies; beyond the last row its limit stays.
"""

LIMITS = {
    1: 54350,
    2: 62150,
    3: 69900,
    4: 77650,
    5: 83850,
    6: 90050,
    7: 96300,
    8: 102500,
}


def yearly_income(hh):
    return sum(m["annual_work_income"] + m["annual_investment_income"] for m in hh)


def eligible(hh):
    return yearly_income(hh) <= LIMITS[min(len(hh), 8)]  # yearly income at or below the limit
