"""3-K: a family of New York City with a child under 4; the rest of the text excludes nobody."""


def eligible(hh):
    if hh["place_of_residence"] != "New York City":  # a family of New York City
        return False
    return any(m["age"] < 4 for m in hh)  # a child under 4
