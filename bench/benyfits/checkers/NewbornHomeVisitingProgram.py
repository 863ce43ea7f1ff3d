"""Newborn home visiting, asked of the household.

Introduction: a parent with a baby of less than three months. Bullets 1-3: a NYCHA development,
help from the Administration for Children's Services (ACS), or a DHS shelter.
Reading: one of the bullets is enough; months of age are no known fact, so a baby is under one
year old, and who lives with it is taken for its parent.
"""


def eligible(hh):
    if not any(m["age"] < 1 for m in hh):  # a newborn baby
        return False
    # lives in a NYCHA development or DHS shelter
    if hh["housing_type"] in ("NYCHA development", "DHS shelter"):
        return True
    return any(m["acs"] for m in hh)  # gets help from ACS
