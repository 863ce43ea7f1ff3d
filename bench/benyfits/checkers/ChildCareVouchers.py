"""Child care vouchers, asked of the household.

Introduction: a child under 14, and cash assistance, homelessness, or income below the limit of
the table. Second list, one of its bullets: ten hours of work a week, educational or vocational
training, a search for work, temporary housing, services for domestic violence, treatment for
substance abuse.
Reading: any member of that age is the child; the applicant or a spouse has the reason for care;
below is strictly below; the table starts at two people, and beyond its last row that limit
stays; homeless and temporary housing are the kinds of housing of those names.
"""

LIMITS = {
    2: 73869.56,
    3: 91250.63,
    4: 108631.70,
    5: 126012.77,
    6: 143393.84,
    7: 146652.80,
    8: 149911.75,
    9: 153170.70,
    10: 156429.65,
    11: 159688.60,
    12: 162947.55,
    13: 166206.50,
    14: 169465.45,
    15: 172724.40,
    16: 175983.35,
    17: 179242.31,
    18: 182501.26,
}


def limit(size):
    return LIMITS[min(size, 18)] if size > 1 else 0


def yearly_income(hh):
    return sum(m["annual_work_income"] + m["annual_investment_income"] for m in hh)


def in_need(hh):
    return (
        hh["housing_type"] == "homeless"  # experiencing homelessness
        or yearly_income(hh) < limit(len(hh))  # yearly income below the limit
        or any(m["receives_cash_assistance"] for m in hh)  # gets cash assistance
    )


def reason_for_care(m):
    return (
        m["work_hours_per_week"] >= 10  # works ten hours a week or more
        or m["enrolled_in_educational_training"]  # in an educational program
        or m["enrolled_in_vocational_training"]  # in a vocational program
        or m["days_looking_for_work"] > 0  # looking for work
        or m["attending_service_for_domestic_violence"]  # services for domestic violence
        or m["receiving_treatment_for_substance_abuse"]  # treatment for substance abuse
    )


def eligible(hh):
    if not any(m["age"] < 14 for m in hh):  # a child under 14
        return False
    if not in_need(hh):
        return False
    if hh["housing_type"] == "temporary housing":  # lives in temporary housing
        return True
    # the applicant or a spouse has a reason for care
    return any(m["relation"] in ("self", "spouse") and reason_for_care(m) for m in hh)
