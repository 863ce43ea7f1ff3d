"""Family resource centers: the household cares for a child with such a challenge.

The sentence: parents or caregivers of a child up to 24 years old who has, or is at risk of,
emotional, behavioral or mental health challenges.
Reading: the child is another member than the applicant and a spouse, who are the caregivers.
"""


def challenged_child(m):
    return (
        m["relation"] not in ("self", "spouse")  # cared for by others
        and m["age"] <= 24  # up to 24 years old
        # emotional, behavioral or mental health challenges
        and (m["emotional_behavioral_condition"] or m["mental_health_condition"])
    )


def eligible(hh):
    return any(challenged_child(m) for m in hh)
