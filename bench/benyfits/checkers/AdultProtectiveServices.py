"""Adult Protective Services (APS): some member can answer all four questions.

Bullet 1: 18 or older. Bullet 2: a physical or mental disability. Bullet 3: cannot manage alone.
Bullet 4: has nobody else to help.
"""


def unprotected(m):
    return (
        m["age"] >= 18  # 18 or older
        and m["disabled"]  # a physical or mental disability
        and not m["can_manage_self"]  # cannot manage daily life without help
        and not m["has_family_to_help"]  # nobody else is able to help
    )


def eligible(hh):
    return any(unprotected(m) for m in hh)
