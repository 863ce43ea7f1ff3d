"""Advance & Earn: some member qualifies.

Question 1: a resident of New York City. Question 2: 16 to 24 years old. Question 3: not in
school, and without a high school diploma or an equivalent, as its brackets say. Question 4: not
working. Question 5: authorized to work in New York City.
Reading: not working is working no hours now, whatever was earned last year.
"""


def learner(m):
    return (
        16 <= m["age"] <= 24  # 16 to 24 years old
        and m["current_school_level"] == "none"  # not attending school
        and m["work_hours_per_week"] == 0  # not working
        and m["high_school_equivalent"] == "no high school diploma equivalent"  # no diploma
        and m["work_authorization"]  # authorized to work in New York City
    )


def eligible(hh):
    if hh["place_of_residence"] != "New York City":  # a resident of New York City
        return False
    return any(learner(m) for m in hh)
