"""Family-type homes for adults: some member may be considered.

First list: 18 or older, and unable to live alone because of a developmental disability, mental
illness, or physical disability. Second list: with a developmental disability or mental illness,
a day treatment program; with substance abuse in the past, at least five years sober. Third list,
none of its bullets: wheelchair, bed-ridden, not compliant with treatment, arson, abuse,
imprisonment.
Reading: who cannot manage daily life without help cannot live alone; mental impairment counts as
disability; who never abused a substance (years below 0) need not be sober for long.
"""


def condition(m):
    return (
        m["disabled"]  # a physical disability or mental impairment
        or m["developmental_condition"]  # a developmental disability
        or m["mental_health_condition"]  # a mental illness
    )


def treated(m):
    # has a developmental disability or mental illness
    if m["developmental_condition"] or m["mental_health_condition"]:
        return m["developmental_mental_day_treatment"]  # attends day treatment
    return True


def sober(m):
    # below 0: no history of substance abuse
    return m["years_sober"] < 0 or m["years_sober"] >= 5  # at least five years sober


def adult_in_need(m):
    return (
        m["age"] >= 18  # 18 or older
        and not m["can_manage_self"]  # unable to live alone
        and condition(m)
        and treated(m)
        and not m["wheelchair"]  # not wheelchair bound
        and not m["bedridden"]  # not bed-ridden
        and sober(m)
        and not m["medication_treatment_non_compliance"]  # complies with treatment
        and not m["arson"]  # no history of arson
        and not m["verbal_abuse"]  # no history of abusive behavior
        and not m["imprisonment"]  # no history of imprisonment
    )


def eligible(hh):
    return any(adult_in_need(m) for m in hh)
