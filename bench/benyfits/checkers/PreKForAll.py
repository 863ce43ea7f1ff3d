"""Pre-K for All: some member is a child who may attend.

First sentence: children of New York City aged 3 or 4. The rest of the text excludes nobody.
"""


def eligible(hh):
    if hh["place_of_residence"] != "New York City":  # a child of New York City
        return False
    return any(3 <= m["age"] <= 4 for m in hh)  # aged 3 or 4
