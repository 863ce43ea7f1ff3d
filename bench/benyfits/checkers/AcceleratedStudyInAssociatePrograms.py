"""Accelerated Study in Associate Programs (CUNY ASAP): some member qualifies.

Bullet 1: accepted to a CUNY college. Bullet 2: a resident of New York City, or eligible for
in-state tuition. Bullet 3: proficient in math, English or both. Bullet 4: up to 15 college
credits, and a grade average of 2.0 or more.
"""


def student(hh, m):
    return (
        m["accepted_to_cuny"]  # accepted to a CUNY college
        # a resident of the city, or eligible for in-state tuition
        and (hh["place_of_residence"] == "New York City" or m["eligible_for_instate_tuition"])
        # proficient in math or English
        and (m["proficient_in_math"] or m["proficient_in_english_reading_and_writing"])
        and m["college_credits"] <= 15  # no more than 15 college credits
        and m["gpa"] >= 2.0  # a grade average of 2.0 or more
    )


def eligible(hh):
    return any(student(hh, m) for m in hh)
