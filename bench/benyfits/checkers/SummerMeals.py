"""Summer meals: some member is aged 18 or younger, as the one sentence says."""


def eligible(hh):
    return any(m["age"] <= 18 for m in hh)  # 18 or younger
