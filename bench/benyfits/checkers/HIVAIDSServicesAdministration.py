"""HIV/AIDS Services Administration (HASA): some member has the diagnosis.

First sentence: diagnosed with HIV or AIDS; the second asks for no symptoms.
"""


def eligible(hh):
    return any(m["hiv_aids"] for m in hh)  # diagnosed with HIV or AIDS
