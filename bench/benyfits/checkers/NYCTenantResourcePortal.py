"""Tenant resource portal: some member is a renter; immigration status does not matter.

Reading: who spends money on rent is a renter.
"""


def eligible(hh):
    return any(m["monthly_rent_spending"] > 0 for m in hh)  # pays rent
