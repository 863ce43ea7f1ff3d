"""Early Head Start, asked of the household.

Introduction: a child aged 3 or younger. Bullets 1-4: temporary housing, HRA cash assistance,
Supplemental Security Income, or that child is in foster care. Bullet 5 and its table: income of
the household at or below the limit for its size, each further person included.
Reading: any member of that age is the child; "you" in bullets 2 and 3 is any member; a foster
child of the applicant is in foster care.
"""

LIMITS = {
    1: 14580,
    2: 19720,
    3: 24860,
    4: 30000,
    5: 35140,
    6: 40280,
    7: 45420,
    8: 50560,
}
EACH_FURTHER = 5140


def limit(size):
    return LIMITS[min(size, 8)] + EACH_FURTHER * max(0, size - 8)


def yearly_income(hh):
    return sum(m["annual_work_income"] + m["annual_investment_income"] for m in hh)


def foster_child(m):
    return m["relation"] == "foster child" or m["in_foster_care"]


def eligible(hh):
    if not any(m["age"] <= 3 for m in hh):  # a child aged 3 or younger
        return False
    if hh["housing_type"] == "temporary housing":  # lives in temporary housing
        return True
    if any(m["age"] <= 3 and foster_child(m) for m in hh):  # the child is in foster care
        return True
    if any(m["receives_hra"] for m in hh):  # receives HRA cash assistance
        return True
    if any(m["receives_ssi"] for m in hh):  # receives Supplemental Security Income
        return True
    return yearly_income(hh) <= limit(len(hh))  # yearly income at or below the limit
