"""Veterans Affairs Supported Housing (HUD-VASH): some member qualifies.

Bullet 1: eligible for health care of the VA. Bullet 2: homeless.
Reading: homeless is the kind of housing of that name; people in a shelter have one of their own.
"""


def eligible(hh):
    if hh["housing_type"] != "homeless":  # homeless
        return False
    return any(m["va_healthcare"] for m in hh)  # eligible for VA health care
