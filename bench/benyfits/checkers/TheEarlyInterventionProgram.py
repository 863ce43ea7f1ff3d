"""Early Intervention Program (EIP): some member is a child who may have it.

Bullet 1: lives in New York City. Bullet 2: three years old or younger.
"""


def eligible(hh):
    if hh["place_of_residence"] != "New York City":  # lives in New York City
        return False
    return any(m["age"] <= 3 for m in hh)  # three years old or younger
