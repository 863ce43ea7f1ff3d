"""Lifeline, asked of the household: one of the two questions is enough.

Question 1, all bullets: somebody has SNAP, SSI, Medicaid, federal public housing assistance or a
veterans pension. Question 2 and its table: income up to the limit, each further person included.
"""

LIMITS = {
    1: 20331,
    2: 27594,
    3: 34857,
    4: 42120,
    5: 49383,
    6: 56646,
    7: 63909,
    8: 71172,
}
EACH_FURTHER = 7263


def limit(size):
    return LIMITS[min(size, 8)] + EACH_FURTHER * max(0, size - 8)


def yearly_income(hh):
    return sum(m["annual_work_income"] + m["annual_investment_income"] for m in hh)


def eligible(hh):
    if hh["receives_snap"]:  # receives SNAP
        return True
    if yearly_income(hh) <= limit(len(hh)):  # yearly income at or below the limit
        return True
    if any(m["receives_medicaid"] for m in hh):  # somebody receives Medicaid
        return True
    if any(m["receives_ssi"] for m in hh):  # somebody receives Supplemental Security Income
        return True
    if any(m["receives_fpha"] for m in hh):  # somebody has federal public housing assistance
        return True
    return any(m["receives_vpsb"] for m in hh)  # somebody has a veterans or survivors pension
