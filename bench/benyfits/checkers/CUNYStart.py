"""CUNY Start and Math Start: some member qualifies.

Bullet 1: a high school diploma or an equivalent. Bullet 2: admission to CUNY is complete. The
closing sentences leave further limits to each college.
"""


def student(m):
    return (
        m["accepted_to_cuny"]  # accepted to CUNY, with all requirements completed
        and m["high_school_equivalent"] != "no high school diploma equivalent"  # has a diploma
    )


def eligible(hh):
    return any(student(m) for m in hh)
