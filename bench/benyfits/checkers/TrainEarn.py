"""Train & Earn: some member qualifies.

Questions 1-4: a resident of New York City, 16 to 24 years old, not working, registered for
selective service where eligible. Question 5 and its bullet: not in school and without a diploma,
or with a diploma and learning English. Question 6, one of its bullets: cash assistance or SNAP in
the household, homeless or runaway, in foster care or aged out of it, involved in the justice
system, disabled, pregnant or a parent, or a household income up to the limit of the table, each
further person included. Closing sentence: may work in the United States.
Reading: not working is working no hours now, whatever was earned last year; who is not proficient
in English is learning
it; the closing sentence is a requirement, as the program pays for work.
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


def schooling(m):
    if m["high_school_equivalent"] == "no high school diploma equivalent":  # without a diploma
        return m["current_school_level"] == "none"  # and not attending school
    return not m["proficient_in_english_reading_and_writing"]  # a diploma, but learning English


def registered(m):
    # registered for selective service, if eligible for it
    return not m["is_eligible_for_selective_service"] or m["selective_service"]


def trainee(m):
    return (
        16 <= m["age"] <= 24  # 16 to 24 years old
        and m["work_hours_per_week"] == 0  # not working
        and schooling(m)
        and registered(m)
        and m["authorized_to_work_in_us"]  # may work in the United States
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
    if hh["place_of_residence"] != "New York City":  # a resident of New York City
        return False
    return any(trainee(m) and (in_need(hh) or own_reason(m)) for m in hh)
