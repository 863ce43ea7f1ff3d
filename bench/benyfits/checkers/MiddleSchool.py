"""Middle school application: some member is the child who applies.

Bullet 1: a resident of New York City. Bullet 2: in fifth grade now.
"""


def eligible(hh):
    if hh["place_of_residence"] != "New York City":  # a New York City resident
        return False
    return any(m["current_school_level"] == 5 for m in hh)  # in fifth grade
