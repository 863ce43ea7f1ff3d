"""COMPASS after-school programs: some member is a pupil.

First sentence: students of New York City from kindergarten to grade 12. The second sentence
leaves further limits to each program.
Reading: students of the city are pupils who live there.
"""

GRADES = ("k", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)


def eligible(hh):
    if hh["place_of_residence"] != "New York City":  # a student of New York City
        return False
    return any(m["current_school_level"] in GRADES for m in hh)  # in kindergarten to grade 12
