"""Senior Citizen Rent Increase Exemption (SCRIE): some member is the tenant who qualifies.

Questions 1-2: 62 or older and named on the lease. Question 3: household income up to 50,000 a
year. Question 4: rent takes more than a third of the income. Question 5, all bullets: a home in
New York City of a listed kind.
Reading: questions 1 and 2 are about the same person; rent and income are the household's.
"""

HOMES = (
    "rent stabilized apartment",
    "rent controlled apartment",
    "rent regulated hotel",
    "rent regulated single room occupancy (SRO)",
    "mitchell-lama development",
    "limited dividend development",
    "redevelopment company development",
    "Housing Development Fund Corporation (HDFC) development",
)


def yearly_income(hh):
    return sum(m["annual_work_income"] + m["annual_investment_income"] for m in hh)


def yearly_rent(hh):
    return 12 * sum(m["monthly_rent_spending"] for m in hh)


def tenant(m):
    return (
        m["age"] >= 62  # 62 or older
        and m["name_is_on_lease"]  # named on the lease
    )


def eligible(hh):
    if hh["place_of_residence"] != "New York City":  # lives in New York City
        return False
    if hh["housing_type"] not in HOMES:  # a rent regulated or supervised home
        return False
    if not any(tenant(m) for m in hh):  # a tenant of 62 or older
        return False
    if yearly_income(hh) > 50000:  # household income of 50,000 a year or less
        return False
    return 3 * yearly_rent(hh) > yearly_income(hh)  # more than a third of income goes on rent
