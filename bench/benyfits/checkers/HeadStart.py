"""Head Start, asked of the household.

Introduction: a child aged 3 or 4. Bullets 1-5: temporary housing, HRA cash assistance, SNAP,
Supplemental Security Income, or that child is in foster care. Bullet 6 and its table: income of
the household below the limit for its size, each further person included.
Reading: any member of that age is the child; "you" is any member; below is strictly below; the
table starts at two people, so one alone has no limit to be below; a foster child of the
applicant is in foster care.
"""

LIMITS = {
    2: 20440,
    3: 25820,
    4: 31200,
    5: 36580,
    6: 41960,
    7: 47340,
    8: 52720,
}
EACH_FURTHER = 5380


def limit(size):
    if size < 2:
        return 0
    return LIMITS[min(size, 8)] + EACH_FURTHER * max(0, size - 8)


def yearly_income(hh):
    return sum(m["annual_work_income"] + m["annual_investment_income"] for m in hh)


def foster_child(m):
    return m["relation"] == "foster child" or m["in_foster_care"]


def eligible(hh):
    if not any(3 <= m["age"] <= 4 for m in hh):  # a child aged 3 or 4
        return False
    if hh["housing_type"] == "temporary housing":  # lives in temporary housing
        return True
    if hh["receives_snap"]:  # receives SNAP
        return True
    if any(3 <= m["age"] <= 4 and foster_child(m) for m in hh):  # the child is in foster care
        return True
    if any(m["receives_hra"] for m in hh):  # receives HRA cash assistance
        return True
    if any(m["receives_ssi"] for m in hh):  # receives Supplemental Security Income
        return True
    return yearly_income(hh) < limit(len(hh))  # yearly income below the limit
