"""Paid safe and sick leave: some member is an employee who is covered.

First list: full-time, part-time and transitional employees, also of outside the city. Second
list, none of its bullets: federal work study, a qualified scholarship, a government job, a
licensed therapist, an independent contractor, the Work Experience Program, a collective
agreement that waives the law.
Reading: an employee is who has income from work. The pay of therapists, the definition of
contractors and the emergency leave of the last paragraph are no known facts.
"""


def covered(m):
    return (
        m["annual_work_income"] > 0  # an employee
        and not m["government_job"]  # not of a government agency
        and not m["contractor"]  # not an independent contractor
        and not m["scholarship"]  # not paid by a scholarship program
        and not m["federal_work_study"]  # not in a federal work study program
        and not m["wep"]  # not in the Work Experience Program
        and not m["collective_bargaining"]  # no collective agreement that waives the law
        and not m["is_therapist"]  # not a licensed therapist
    )


def eligible(hh):
    return any(covered(m) for m in hh)
