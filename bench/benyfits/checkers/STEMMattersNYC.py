"""STEM Matters: some member enters grade 1 to 12 of a school of New York City.

Reading: whoever enters a grade is now in the one before it, from kindergarten to grade 11; a
pupil of the city lives there. The kind of school is no known fact.
"""

BEFORE = ("k", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)


def eligible(hh):
    if hh["place_of_residence"] != "New York City":  # a pupil of New York City
        return False
    return any(m["current_school_level"] in BEFORE for m in hh)  # enters grade 1 to 12
