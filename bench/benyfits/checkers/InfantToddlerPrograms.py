"""Infant and toddler programs, asked of the household.

Introduction: a child aged 5 or younger, and a reason for care of both parents. Bullets 1-6:
ten hours of work a week, educational or vocational training, a search for work of up to six
months, temporary housing, services for domestic violence, treatment for substance abuse.
Bullet 7 and its table: income at or below the limit qualifies as well.
Reading: any member of that age is the child; the parents are the applicant and a spouse; the
income limit is a way of its own, as its bullet says; six months are 180 days; beyond the last
row of the table its limit stays.
"""

LIMITS = {
    1: 51610,
    2: 67490,
    3: 83370,
    4: 99250,
    5: 115130,
    6: 131010,
    7: 133987,
    8: 136965,
    9: 139942,
    10: 142920,
    11: 145897,
    12: 148875,
    13: 151852,
    14: 154830,
    15: 157807,
}


def yearly_income(hh):
    return sum(m["annual_work_income"] + m["annual_investment_income"] for m in hh)


def reason_for_care(m):
    return (
        m["work_hours_per_week"] >= 10  # works ten hours a week or more
        or m["enrolled_in_educational_training"]  # in an educational program
        or m["enrolled_in_vocational_training"]  # in a vocational program
        or 0 < m["days_looking_for_work"] <= 180  # looking for work for up to six months
        or m["attending_service_for_domestic_violence"]  # services for domestic violence
        or m["receiving_treatment_for_substance_abuse"]  # treatment for substance abuse
    )


def eligible(hh):
    if not any(m["age"] <= 5 for m in hh):  # a child aged 5 or younger
        return False
    if hh["housing_type"] == "temporary housing":  # lives in temporary housing
        return True
    if yearly_income(hh) <= LIMITS[min(len(hh), 15)]:  # yearly income at or below the limit
        return True
    # each parent has a reason for care
    return all(reason_for_care(m) for m in hh if m["relation"] in ("self", "spouse"))
