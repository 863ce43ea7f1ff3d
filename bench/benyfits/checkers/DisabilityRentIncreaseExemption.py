"""Disability Rent Increase Exemption (DRIE): some member is the tenant who qualifies.

Questions 1-2: 18 or older and named on the lease. Question 3: household income up to 50,000 a
year. Question 4: rent takes more than a third of the income. Question 5, all bullets: a home in
New York City of a listed kind. Question 6, all bullets: income from SSI, SSDI, a VA disability
pension, or disability-related Medicaid after SSI or SSDI.
Reading: questions 1, 2 and 6 are about the same person; rent and income are the household's.
"""

HOMES = (
    "rent stabilized apartment",
    "rent controlled apartment",
    "mitchell-lama development",
    "limited dividend development",
    "redevelopment company development",
    "Housing Development Fund Corporation (HDFC) development",
    "Section 213 coop",
    "rent regulated hotel",
    "rent regulated single room occupancy (SRO)",
)


def yearly_income(hh):
    return sum(m["annual_work_income"] + m["annual_investment_income"] for m in hh)


def yearly_rent(hh):
    return 12 * sum(m["monthly_rent_spending"] for m in hh)


def disability_benefit(m):
    return (
        m["receives_ssi"]  # Supplemental Security Income
        or m["receives_ssdi"]  # Social Security Disability Insurance
        or m["receives_va_disability"]  # VA disability pension or compensation
        # Medicaid because of a disability, after SSI or SSDI in the past
        or (m["receives_disability_medicaid"] and m["has_received_ssi_or_ssdi"])
    )


def tenant(m):
    return (
        m["age"] >= 18  # 18 or older
        and m["name_is_on_lease"]  # named on the lease
        and disability_benefit(m)  # income from a disability benefit
    )


def eligible(hh):
    if hh["place_of_residence"] != "New York City":  # lives in New York City
        return False
    if hh["housing_type"] not in HOMES:  # a rent regulated or supervised home
        return False
    if not any(tenant(m) for m in hh):  # a tenant with a disability benefit
        return False
    if yearly_income(hh) > 50000:  # household income of 50,000 a year or less
        return False
    return 3 * yearly_rent(hh) > yearly_income(hh)  # more than a third of income goes on rent
