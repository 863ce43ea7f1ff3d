"""Big Apple Connect: the household lives in a NYCHA development, as the one sentence says."""


def eligible(hh):
    return hh["housing_type"] == "NYCHA development"  # lives in a NYCHA development
