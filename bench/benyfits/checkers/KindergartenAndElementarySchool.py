"""Kindergarten: some member is a child of New York City aged 4 or 5, as the one sentence says."""


def eligible(hh):
    if hh["place_of_residence"] != "New York City":  # a child of New York City
        return False
    return any(4 <= m["age"] <= 5 for m in hh)  # aged 4 or 5
