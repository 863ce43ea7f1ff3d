"""NYCHA resident economic empowerment (REES): the household lives in NYCHA housing."""


def eligible(hh):
    return hh["housing_type"] == "NYCHA development"  # lives in NYCHA housing
