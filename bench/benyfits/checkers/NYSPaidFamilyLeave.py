"""New York State paid family leave: some member is an employee who may take it.

Requirement 1: a resident of New York State. Requirement 2: works for a private employer, or for
a public one that takes part. Requirement 3, one of its bullets: 20 or more hours a week for 26
weeks in a row, or fewer hours on 175 days.
Reading: an employee is who works some hours a week; who has no government job works for a
private employer; of the places that are known only New York City is in the state.
"""


def worked_enough(m):
    if m["work_hours_per_week"] >= 20:  # full time, 20 or more hours a week
        return m["consecutive_work_weeks"] >= 26  # for 26 weeks in a row
    return m["nonconsecutive_work_days"] >= 175  # part time, on 175 days


def employee(m):
    return (
        m["work_hours_per_week"] > 0  # works
        and worked_enough(m)
        # for a private employer, or a public one that takes part
        and (not m["government_job"] or m["employer_opt_in"])
    )


def eligible(hh):
    if hh["place_of_residence"] != "New York City":  # lives in New York State
        return False
    return any(employee(m) for m in hh)
