"""YouthHealth clinics: some member is a young New Yorker; the rest of the text excludes nobody.

Reading: youth are people up to 21, as in the city's other programs for youth.
"""


def eligible(hh):
    if hh["place_of_residence"] != "New York City":  # a young New Yorker
        return False
    return any(m["age"] <= 21 for m in hh)  # 21 or younger
