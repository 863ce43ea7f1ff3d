"""Career and technical education in a high school: some member is the student who applies.

Bullet 1: a resident of New York City. Bullet 2: in eighth grade, or in ninth for the first time.
Reading: whoever is in ninth grade is there for the first time, as repeating is no known fact.
"""


def eligible(hh):
    if hh["place_of_residence"] != "New York City":  # a New York City resident
        return False
    return any(m["current_school_level"] in (8, 9) for m in hh)  # in eighth or ninth grade
