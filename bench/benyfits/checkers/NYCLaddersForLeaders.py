"""Ladders for Leaders: some member qualifies.

Bullet 1: lives in New York City. Bullet 2: in high school or college. Bullet 3: 16 to 22 years
old. Bullet 4: has worked or volunteered. Bullet 5: a grade average of 3.00 or more.
"""


def student(m):
    return (
        16 <= m["age"] <= 22  # 16 to 22 years old
        and m["current_school_level"] in (9, 10, 11, 12, "college")  # in high school or college
        and m["work_or_volunteer_experience"]  # has worked or volunteered
        and m["gpa"] >= 3.0  # a grade average of 3.00 or more
    )


def eligible(hh):
    if hh["place_of_residence"] != "New York City":  # lives in New York City
        return False
    return any(student(m) for m in hh)
