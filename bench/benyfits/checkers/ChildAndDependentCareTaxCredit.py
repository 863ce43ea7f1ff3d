"""Child and Dependent Care Tax Credit, for the return that the applicant files.

Question 1 with its two bullets: care is paid for a child under 13, or for a spouse or a
dependent adult who cannot care for themselves. Question 2: that person lived with the applicant
for more than half of the year. Question 3: the applicant has income from work, and so has a
spouse who files jointly. Question 4 with its bullet: of a married couple both work outside the
home, or one does while the other studies, has a disability or looks for work.
Reading: any other member under 13 is such a child, and by the first bullet a dependent; married
means that a spouse belongs to the household; who is in college or in educational training counts
as a student.
"""


def needs_care(m):
    return (
        m["age"] < 13  # under 13
        # a spouse or dependent who cannot care for themselves
        or (not m["can_care_for_self"] and (m["relation"] == "spouse" or m["dependent"]))
    )


def cared_for(m):
    return (
        m["relation"] != "self"  # somebody else than the applicant
        and needs_care(m)
        and m["has_paid_caregiver"]  # somebody is paid to care for this person
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
    if one["works_outside_home"]:  # works outside the home
        # so does the other, or studies, has a disability or looks for work
        return other["works_outside_home"] or otherwise_occupied(other)
    # only the other does
    return other["works_outside_home"] and otherwise_occupied(one)


def eligible(hh):
    if not any(cared_for(m) for m in hh):  # a dependent whose care is paid for
        return False
    if hh[0]["annual_work_income"] == 0:  # the applicant earns income
        return False
    for m in hh:
        if m["relation"] == "spouse":
            if m["filing_jointly"] and m["annual_work_income"] == 0:  # so does a joint filer
                return False
            if not couple_works(hh[0], m):  # both of the couple work or are otherwise occupied
                return False
    return True
