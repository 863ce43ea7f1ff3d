"""Summer Youth Employment Program (SYEP): some member qualifies.

Bullet 1: lives in New York City. Bullet 2: 14 to 24 years old.
"""


def eligible(hh):
    if hh["place_of_residence"] != "New York City":  # lives in New York City
        return False
    return any(14 <= m["age"] <= 24 for m in hh)  # 14 to 24 years old
