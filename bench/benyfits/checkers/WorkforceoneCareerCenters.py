"""Workforce1 career centers: some member qualifies.

Bullet 1: lives in New York City. Bullet 2: 18 or older. Bullet 3: authorized to work in the US.
"""


def worker(m):
    return (
        m["age"] >= 18  # 18 or older
        and m["authorized_to_work_in_us"]  # authorized to work in the US
    )


def eligible(hh):
    if hh["place_of_residence"] != "New York City":  # lives in New York City
        return False
    return any(worker(m) for m in hh)
