"""HomeFirst down payment assistance, asked of the household.

The table: income of the household up to the limit for its size. Second list and its bullets: a
first-time home buyer, or a veteran with honorable service.
Reading: any member may be the buyer; beyond the last row of the table its limit stays.
"""

LIMITS = {
    1: 87100,
    2: 99550,
    3: 111950,
    4: 124400,
    5: 134350,
    6: 144300,
    7: 154250,
    8: 164200,
}


def yearly_income(hh):
    return sum(m["annual_work_income"] + m["annual_investment_income"] for m in hh)


def buyer(m):
    return (
        m["first_time_home_buyer"]  # a first-time home buyer
        or m["honorable_service"]  # a veteran with honorable service
    )


def eligible(hh):
    if yearly_income(hh) > LIMITS[min(len(hh), 8)]:  # yearly income at or below the limit
        return False
    return any(buyer(m) for m in hh)
