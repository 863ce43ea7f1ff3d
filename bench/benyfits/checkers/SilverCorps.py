"""Silver Corps: some member qualifies.

Bullets 1-3: 55 or older, a resident of New York City, unemployed. Bullet 4 and the table: income
of the household up to the limit for its size, each further person included.
Reading: unemployed is who works no hours now, whatever was earned last year; the step for a
further person is taken as it
stands, although the rows differ by more.
"""

LIMITS = {
    1: 60240,
    2: 81760,
    3: 103280,
    4: 124800,
    5: 146320,
    6: 167840,
    7: 189360,
    8: 210880,
}
EACH_FURTHER = 6425


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
    if hh["place_of_residence"] != "New York City":  # a resident of New York City
        return False
    if not any(older_and_unemployed(m) for m in hh):  # somebody of 55 or older without work
        return False
    return yearly_income(hh) <= limit(len(hh))  # yearly income at or below the limit
