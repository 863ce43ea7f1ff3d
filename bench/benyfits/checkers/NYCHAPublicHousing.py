"""NYCHA public housing, asked of the household; the applicant applies.

Question 1: a citizen or somebody with legal immigration status. Questions 2-3: the applicant,
and a spouse, are 18 or older or emancipated. Question 4, both bullets: one person alone, or
people who are related. Question 5 and its table: income up to the limit for the size.
Reading: everybody but friends is related to the applicant, and some relative is enough; beyond
the last row of the table its limit stays.
"""

LIMITS = {
    1: 87100,
    2: 99550,
    3: 111950,
    4: 124400,
    5: 134350,
    6: 144300,
    7: 154250,
    8: 164200,
}


def yearly_income(hh):
    return sum(m["annual_work_income"] + m["annual_investment_income"] for m in hh)


def may_apply(m):
    return m["age"] >= 18 or m["emancipated_minor"]  # 18 or older, or an emancipated minor


def eligible(hh):
    # one person alone, or people who are related
    if len(hh) > 1 and all(m["relation"] in ("self", "friend") for m in hh):
        return False
    if not all(may_apply(m) for m in hh if m["relation"] in ("self", "spouse")):
        return False
    if yearly_income(hh) > LIMITS[min(len(hh), 8)]:  # yearly income at or below the limit
        return False
    # a citizen, or somebody with legal immigration status
    return any(m["citizenship"] != "unlawful_resident" for m in hh)
