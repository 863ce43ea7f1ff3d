"""Learn & Earn: some member is a student who qualifies.

Questions 1-5: aged 16 to 21, a junior or senior of a New York City high school, with a social
security number, allowed to work in the US, registered for selective service where eligible.
Question 6, one of its bullets: cash assistance or SNAP in the household, homeless or runaway, in
foster care or aged out of it, involved in the justice system, pregnant or a parent, disabled, or
a household income up to the limit of the table, each further person included.
Reading: juniors and seniors are in grades 11 and 12; a student of the city lives there.
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


def registered(m):
    # registered for selective service, if eligible for it
    return not m["is_eligible_for_selective_service"] or m["selective_service"]


def student(m):
    return (
        16 <= m["age"] <= 21  # 16 to 21 years old
        and m["current_school_level"] in (11, 12)  # a junior or senior
        and m["has_ssn"]  # has a social security number
        and m["authorized_to_work_in_us"]  # can legally work in the US
        and registered(m)
    )


def in_need(hh):
    return (
        hh["receives_snap"]  # the household gets SNAP
        or hh["housing_type"] == "homeless"  # homeless
        or any(m["receives_cash_assistance"] for m in hh)  # somebody gets cash assistance
        or yearly_income(hh) <= limit(len(hh))  # yearly income at or below the limit
    )


def own_reason(m):
    return (
        m["disabled"]  # has a disability
        or m["is_parent"]  # a parent
        or m["months_pregnant"] > 0  # pregnant
        or m["is_runaway"]  # a runaway
        or m["in_foster_care"]  # in foster care
        or m["foster_age_out"]  # aged out of foster care
        or m["involved_in_justice_system"]  # involved in the justice system
    )


def eligible(hh):
    if hh["place_of_residence"] != "New York City":  # a student of New York City
        return False
    return any(student(m) and (in_need(hh) or own_reason(m)) for m in hh)
