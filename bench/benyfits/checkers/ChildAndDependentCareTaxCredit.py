"""Child and Dependent Care Tax Credit, for the return that the applicant files.

Question 1 with its two bullets: care is paid for a dependent under 13, or for a spouse or a
dependent adult who cannot care for themselves. Question 2: that person lived with the applicant
for more than half of the year. Question 3: the applicant has income from work, and so has a
spouse who files jointly. Question 4 with its bullet: of a married couple both work outside the
home, or one does while the other studies, has a disability or looks for work.
Reading: married means that a spouse belongs to the household; who is in college or in
educational training counts as a student.
"""


def cared_for(m):
    return (
        m["relation"] != "self"
        and (m["relation"] == "spouse" or m["dependent"])  # the applicant's spouse or dependent
        and m["has_paid_caregiver"]  # somebody is paid to care for this person
        and (m["age"] < 13 or not m["can_care_for_self"])  # under 13, or cannot care for themselves
        and m["lived_together_last_6_months"]  # lived with the applicant over half of the year
    )


def otherwise_occupied(m):
    return (
        m["enrolled_in_educational_training"]  # in educational training
        or m["current_school_level"] == "college"  # a student
        or m["disabled"]  # has a disability
        or m["days_looking_for_work"] > 0  # looking for work
    )


def couple_works(one, other):
    if one["works_outside_home"]:  # one of the couple works outside the home
        return other["works_outside_home"] or otherwise_occupied(other)  # what the other one does
    return other["works_outside_home"] and otherwise_occupied(one)  # or the other way round


def eligible(hh):
    if not any(cared_for(m) for m in hh):  # nobody is a dependent whose care is paid for
        return False
    if hh[0]["annual_work_income"] == 0:  # the applicant must earn income
        return False
    for m in hh:
        if m["relation"] == "spouse":
            if m["filing_jointly"] and m["annual_work_income"] == 0:  # so must a joint filer
                return False
            if not couple_works(hh[0], m):  # work outside the home, of the married couple
                return False
    return True
