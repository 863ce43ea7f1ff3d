"""Earned Income Tax Credit (EITC), for the return that the applicant files.

Requirement 1: a social security number. Requirement 2, all bullets: earnings up to the limit for
married or single filers with or without children. Requirement 3: which children count.
Requirement 4: without children, filers aged 25 to 64 only. Requirement 5, its bullets: a married
filer without a joint return needs a child who lived with them, and lived apart from the spouse.
Requirement 6: investment income below 11,000.
Reading: earnings are income from work; married means that a spouse belongs to the household; an
adopted child counts as one's own; a joint return adds up both. A legal separation (second half
of requirement 5) is no known fact.
"""

CHILDREN = ("child", "stepchild", "foster child", "grandchild", "adopted child")


def has_children(hh):
    return any(m["relation"] in CHILDREN for m in hh)


def files(m):
    return m["relation"] == "self" or (m["relation"] == "spouse" and m["filing_jointly"])


def limit(married, children):
    if married:
        return 63398 if children else 24210
    return 56838 if children else 17640


def may_file_apart(hh):
    for m in hh:
        if m["relation"] == "spouse" and m["lived_together_last_6_months"]:  # lived apart
            return False
    # a child of theirs lived with the applicant
    return any(m["relation"] in CHILDREN and m["lived_together_last_6_months"] for m in hh)


def eligible(hh):
    if not hh[0]["has_ssn"]:  # a valid social security number
        return False
    children = has_children(hh)
    if not children and not any(files(m) and 25 <= m["age"] <= 64 for m in hh):  # aged 25 to 64
        return False
    # married, and not filing jointly
    apart = any(m["relation"] == "spouse" and not m["filing_jointly"] for m in hh)
    if apart and not may_file_apart(hh):
        return False
    married = any(m["relation"] == "spouse" for m in hh)
    # earnings up to the limit
    if sum(m["annual_work_income"] for m in hh if files(m)) > limit(married, children):
        return False
    # investment income of less than 11,000
    return sum(m["annual_investment_income"] for m in hh if files(m)) < 11000
