"""Child Tax Credit, for the return that the applicant files.

Requirement 1: earnings up to the limit of a single or a joint return. Requirement 2, bullets 1-3:
a child aged 16 or younger, with a social security or adoption tax number, of one of the listed
relations; the filer has a social security or individual tax number. Requirement 3 and its
bullet: the child lived with the applicant, is claimed as a dependent, and does not provide more
than half of its own support.
Reading: what was earned is income from work, of the applicant and of a spouse who files jointly.
"""

RELATIONS = (
    "child",
    "stepchild",
    "grandchild",
    "foster child",
    "adopted child",
    "sibling",
    "niece or nephew",
)


def claimed(m):
    return (
        m["relation"] in RELATIONS  # child, grandchild, sibling, niece or nephew
        and m["age"] <= 16  # 16 or younger
        and m["dependent"]  # claimed as a dependent
        and m["lived_together_last_6_months"]  # lived with the applicant over half of the year
        and (m["has_ssn"] or m["has_atin"])  # a social security or adoption tax number
        and not m["provides_over_half_of_own_financial_support"]  # is supported by others
    )


def eligible(hh):
    if not any(claimed(m) for m in hh):  # a child that can be claimed
        return False
    if not (hh[0]["has_ssn"] or hh[0]["has_itin"]):  # the filer's social security or tax number
        return False
    for m in hh:
        if m["relation"] == "spouse" and m["filing_jointly"]:  # married, filing jointly
            # up to 400,000 on a joint return
            return hh[0]["annual_work_income"] + m["annual_work_income"] <= 400000
    return hh[0]["annual_work_income"] <= 200000  # up to 200,000
