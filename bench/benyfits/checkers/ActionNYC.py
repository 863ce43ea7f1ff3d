"""ActionNYC: the household lives in New York City; immigration status does not matter."""


def eligible(hh):
    return hh["place_of_residence"] == "New York City"  # New Yorkers
