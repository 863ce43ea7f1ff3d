"""Family Assessment Program (FAP), asked of the household.

Bullet 1: a child up to 18 and a family who struggle to relate to each other. Bullet 2 asks for
nothing.
Reading: it is enough that any member of the family with such a child struggles.
"""


def eligible(hh):
    if not any(m["age"] <= 18 for m in hh):  # a child up to 18 years old
        return False
    return any(m["struggles_to_relate"] for m in hh)  # somebody struggles to relate to the family
