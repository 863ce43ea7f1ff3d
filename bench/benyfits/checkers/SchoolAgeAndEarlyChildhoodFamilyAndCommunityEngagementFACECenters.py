"""FACE centers: a family of New York City that cares for a child with a disability.

First sentence: such families; the second only says that trainings are open to everyone.
Reading: a child is under 18 and is not the applicant.
"""


def child_with_disability(m):
    return (
        m["relation"] != "self"  # cared for by the applicant
        and m["age"] < 18  # a child
        and m["disabled"]  # with a disability
    )


def eligible(hh):
    if hh["place_of_residence"] != "New York City":  # a family of New York City
        return False
    return any(child_with_disability(m) for m in hh)
