"""COVID-19 funeral assistance: some member qualifies.

Requirement 1: a citizen, national or qualified noncitizen. Requirements 2-3: had expenses for
the funeral of somebody who died of COVID-19, since January 2020.
Reading: a lawful resident is a qualified noncitizen; one fact tells requirements 2 and 3.
"""


def bereaved(m):
    return (
        m["covid_funeral_expenses"]  # paid for a funeral because of COVID-19
        and m["citizenship"] != "unlawful_resident"  # a citizen, national or lawful resident
    )


def eligible(hh):
    return any(bereaved(m) for m in hh)
