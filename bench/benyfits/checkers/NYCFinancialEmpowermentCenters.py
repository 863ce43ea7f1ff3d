"""Financial empowerment centers: some member qualifies.

Bullet 1: lives in New York City. Bullet 2: 18 or older. The place of work (bullet 1) is no known
fact; the closing sentence excludes nobody.
"""


def eligible(hh):
    if hh["place_of_residence"] != "New York City":  # lives in New York City
        return False
    return any(m["age"] >= 18 for m in hh)  # 18 or older
