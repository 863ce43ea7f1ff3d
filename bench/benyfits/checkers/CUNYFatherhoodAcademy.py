"""CUNY Fatherhood Academy: some member is a father who qualifies for one of its tracks.

Both tracks, bullets 1-2: lives in New York City, a father. Equivalency track: aged 18 to 30.
The college track asks for the same age and for more (a diploma, few credits, not in college), so
whoever meets it meets the equivalency track as well.
Reading: a father is a male parent.
"""


def father(m):
    return (
        18 <= m["age"] <= 30  # 18 to 30 years old
        and m["sex"] == "male"  # a father
        and m["is_parent"]  # a parent
    )


def eligible(hh):
    if hh["place_of_residence"] != "New York City":  # lives in New York City
        return False
    return any(father(m) for m in hh)
