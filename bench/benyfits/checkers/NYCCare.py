"""NYC Care: some member qualifies.

Bullet 1: lives in New York City. Bullet 2: qualifies for no health insurance plan of the state.
"""


def eligible(hh):
    if hh["place_of_residence"] != "New York City":  # lives in New York City
        return False
    return any(not m["qualify_for_health_insurance"] for m in hh)  # qualifies for no insurance
