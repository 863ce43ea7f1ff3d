"""Cornerstone programs: some member is a NYCHA resident of kindergarten age or older.

Reading: kindergarten age starts at 5.
"""


def eligible(hh):
    if hh["housing_type"] != "NYCHA development":  # NYCHA residents
        return False
    return any(m["age"] >= 5 for m in hh)  # kindergarten age or older
