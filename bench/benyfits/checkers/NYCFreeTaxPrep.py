"""Free tax preparation, for the return that the applicant files.

Bullet 1: up to 85,000 with dependents. Bullet 2: up to 59,000 without.
Reading: what was earned is income from work, of the applicant and of a spouse who files jointly;
a dependent is any member who is one.
"""


def files(m):
    return m["relation"] == "self" or (m["relation"] == "spouse" and m["filing_jointly"])


def eligible(hh):
    earned = sum(m["annual_work_income"] for m in hh if files(m))  # earned in the year
    if earned <= 59000:  # 59,000 or less is enough without dependents
        return True
    if earned > 85000:  # 85,000 or less with dependents
        return False
    return any(m["dependent"] for m in hh)  # has dependents
