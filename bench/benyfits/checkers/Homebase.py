"""Homebase, asked of the household.

Bullet 1: lives in one of the five boroughs. Bullet 2: may soon have to enter the shelter system.
Reading: that risk is the one of homelessness, and the applicant tells it for all.
"""


def eligible(hh):
    if hh["place_of_residence"] != "New York City":  # lives in the five boroughs
        return False
    return hh[0]["at_risk_of_homelessness"]  # at risk of entering the shelter system
