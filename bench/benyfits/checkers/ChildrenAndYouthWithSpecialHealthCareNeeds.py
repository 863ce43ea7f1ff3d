"""Children and youth with special health care needs: some member is such a child.

Bullet 1: 21 or younger. Bullet 2: lives in New York City. Bullet 3: an illness that lasts, a
disability, or a developmental, emotional or behavioral condition. Bullet 4 (a need of extra care)
follows from the third and is no known fact of its own.
"""


def special_needs(m):
    return (
        m["disabled"]  # a disability
        or m["chronic_health_condition"]  # a chronic health condition
        or m["developmental_condition"]  # a developmental condition
        or m["emotional_behavioral_condition"]  # an emotional or behavioral condition
    )


def eligible(hh):
    if hh["place_of_residence"] != "New York City":  # lives in New York City
        return False
    return any(m["age"] <= 21 and special_needs(m) for m in hh)  # 21 or younger, with a condition
