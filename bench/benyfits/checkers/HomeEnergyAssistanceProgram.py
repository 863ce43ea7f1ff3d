"""Home Energy Assistance Program (HEAP), regular or emergency, asked of the household.

Regular, bullet 1: a member under 6, of 60 or older, or disabled. Bullet 3 and the table: monthly
gross income up to the limit for the size, each further person included. Emergency, question 1,
all bullets: electricity or heat shut off or about to be, or out of fuel. Question 2: the bill is
in their name. Question 3, both bullets: resources below 3,750 with somebody of 60 or older or
under 6, below 2,500 without. Question 4, both bullets: SNAP, Temporary Assistance or Code A SSI,
or the same table.
Reading: regular HEAP needs both the member and the income; what the home's heating is like is
asked of the applicant, the bill may be any member's. The heating source (bullet 2) sets the
benefit and is left out.
"""

LIMITS = {
    1: 3035,
    2: 3970,
    3: 4904,
    4: 5838,
    5: 6772,
    6: 7706,
    7: 7881,
    8: 8056,
    9: 8231,
    10: 8407,
    11: 8582,
    12: 8890,
    13: 9532,
}
EACH_FURTHER = 642


def yearly_income(hh):
    return sum(m["annual_work_income"] + m["annual_investment_income"] for m in hh)


def low_income(hh):
    limit = LIMITS[min(len(hh), 13)] + EACH_FURTHER * max(0, len(hh) - 13)
    return yearly_income(hh) <= 12 * limit  # monthly gross income at or below the limit


def young_or_old(hh):
    return any(m["age"] < 6 or m["age"] >= 60 for m in hh)  # under 6, or 60 or older


def without_heat(hh):
    return (
        hh[0]["heat_shut_off"]  # the heat is shut off or in danger of it
        or hh[0]["electricity_shut_off"]  # the electricity is shut off or in danger of it
        or hh[0]["out_of_fuel"]  # out of fuel
    )


def few_resources(hh):
    limit = 3750 if young_or_old(hh) else 2500
    return hh[0]["available_financial_resources"] < limit  # available resources below the limit


def assisted(hh):
    return (
        hh["receives_snap"]  # receives SNAP
        or any(m["receives_temporary_assistance"] for m in hh)  # Temporary Assistance
        or any(m["receives_ssi"] for m in hh)  # Code A Supplemental Security Income
    )


def regular(hh):
    # somebody under 6, of 60 or older, or disabled, and a low income
    return (young_or_old(hh) or any(m["disabled"] for m in hh)) and low_income(hh)


def emergency(hh):
    return (
        without_heat(hh)
        and any(m["heating_electrical_bill_in_name"] for m in hh)  # the bill is in their name
        and few_resources(hh)
        and (low_income(hh) or assisted(hh))
    )


def eligible(hh):
    if regular(hh):  # regular benefit
        return True
    return emergency(hh)  # emergency benefit
