"""Older adult employment program: some member qualifies.

Bullets 1-3: 55 or older, of the five boroughs, unemployed. The table: income of the household up
to the limit for its size, each further person included.
Reading: unemployed is who works no hours now, whatever was earned last year.
"""

LIMITS = {
    1: 18825,
    2: 25550,
    3: 32275,
    4: 39000,
    5: 45725,
    6: 52450,
    7: 59175,
    8: 65900,
}
EACH_FURTHER = 6725


def limit(size):
    return LIMITS[min(size, 8)] + EACH_FURTHER * max(0, size - 8)


def yearly_income(hh):
    return sum(m["annual_work_income"] + m["annual_investment_income"] for m in hh)


def older_and_unemployed(m):
    return (
        m["age"] >= 55  # 55 or older
        and m["work_hours_per_week"] == 0  # unemployed
    )


def eligible(hh):
    if hh["place_of_residence"] != "New York City":  # lives in the five boroughs
        return False
    if not any(older_and_unemployed(m) for m in hh):  # somebody of 55 or older without work
        return False
    return yearly_income(hh) <= limit(len(hh))  # yearly income at or below the limit
