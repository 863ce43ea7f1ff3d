"""Child Health Plus or Children's Medicaid: some member is such a child.

Bullet 1: under 19. Bullet 2: a resident of New York State. Bullet 3: without health insurance.
Reading: of the places that are known only New York City is in the state.
"""


def uninsured_child(m):
    return (
        m["age"] < 19  # under 19 years old
        and not m["health_insurance"]  # not covered by health insurance
    )


def eligible(hh):
    if hh["place_of_residence"] != "New York City":  # lives in New York State
        return False
    return any(uninsured_child(m) for m in hh)
