"""Child support services, asked of the applicant.

Question 1: the single parent or guardian of a child under 21. Question 2: it is them who looks
after the child from day to day.
Reading: single means that no spouse belongs to the household, and goes for guardians too; the
child is a child, stepchild, adopted, foster or grandchild of the applicant.
"""

CHILDREN = ("child", "stepchild", "adopted child", "foster child", "grandchild")


def eligible(hh):
    if any(m["relation"] == "spouse" for m in hh):  # a single parent or guardian
        return False
    if not any(m["relation"] in CHILDREN and m["age"] < 21 for m in hh):  # a child under 21
        return False
    return hh[0]["responsible_for_day_to_day"]  # responsible for the child's day-to-day life
