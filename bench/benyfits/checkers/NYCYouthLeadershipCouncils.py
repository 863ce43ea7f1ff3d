"""Youth Leadership Councils (YLC): some member qualifies.

Bullet 1: 14 to 21 years old. Bullet 2: in high school. Equivalency programs (bullet 2) are no
known fact of their own.
"""


def student(m):
    return (
        14 <= m["age"] <= 21  # 14 to 21 years old
        and m["current_school_level"] in (9, 10, 11, 12)  # in high school
    )


def eligible(hh):
    return any(student(m) for m in hh)
