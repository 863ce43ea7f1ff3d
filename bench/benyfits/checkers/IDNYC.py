"""IDNYC card: some member lives in New York City and is 10 or older, as the one sentence says."""


def eligible(hh):
    if hh["place_of_residence"] != "New York City":  # lives in New York City
        return False
    return any(m["age"] >= 10 for m in hh)  # 10 or older
