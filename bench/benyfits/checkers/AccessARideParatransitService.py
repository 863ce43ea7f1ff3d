"""Access-A-Ride paratransit: some member qualifies.

Bullet 1: a disability that prevents the use of buses and subways. Bullet 2: recovering from
surgery, or a long-term condition.
Reading: a long-term condition is a chronic health condition. Visiting the city (end of bullet 2)
is no known fact.
"""


def rider(m):
    return (
        (m["disabled"] and not m["can_access_subway_or_bus"])  # cannot use buses or subways
        or m["recovering_from_surgery"]  # recovering from surgery
        or m["chronic_health_condition"]  # a long-term condition
    )


def eligible(hh):
    return any(rider(m) for m in hh)
