"""Beacon programs: some member is aged 5 to 21 and enrolled in school, as the one line says.

Reading: any school level counts, preschool and college included.
"""


def pupil(m):
    return (
        5 <= m["age"] <= 21  # 5 to 21 years old
        and m["current_school_level"] != "none"  # enrolled in school
    )


def eligible(hh):
    return any(pupil(m) for m in hh)
