"""TXT-2-WORK: some member qualifies.

Bullet 1: a resident of New York City. Bullet 2: a client of HRA who gets cash, SNAP or other
assistance.
Reading: both bullets must hold. Housing assistance of HRA is no known fact of its own.
"""


def client(m):
    return (
        m["receives_hra"]  # receives HRA assistance
        or m["receives_cash_assistance"]  # receives cash assistance
        or m["receives_temporary_assistance"]  # receives Temporary Assistance
    )


def eligible(hh):
    if hh["place_of_residence"] != "New York City":  # a resident of New York City
        return False
    if hh["receives_snap"]:  # receives SNAP
        return True
    return any(client(m) for m in hh)
