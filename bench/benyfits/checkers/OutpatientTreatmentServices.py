"""Outpatient treatment: some member is a child who needs it.

Clinic treatment, bullets 1-2: up to 18 years old, with challenges to emotion, behavior or
mental health. Day treatment asks for more (3 to 18 years, a disorder that interferes in a major
way), so whoever has it has clinic treatment as well.
Reading: both bullets must hold. Difficulties in a classroom (day treatment, bullet 3) are no
known fact.
"""


def challenged(m):
    return (
        m["age"] <= 18  # up to 18 years old
        # emotional, behavioral or mental health challenges
        and (m["emotional_behavioral_condition"] or m["mental_health_condition"])
    )


def eligible(hh):
    return any(challenged(m) for m in hh)
