"""New York State Unemployment Insurance: some member qualifies.

Bullet 1: lost the job through no fault of their own. Bullet 2: worked within the last 18 months
and can work at once. Bullet 3: authorized to work in the US, now and when the job was lost.
Reading: 18 months ago is still within; a negative number of months means never worked.
"""


def insured(m):
    return (
        m["lost_job"]  # lost the last job through no fault of their own
        and 0 <= m["months_since_worked"] <= 18  # worked within the last 18 months
        and m["can_work_immediately"]  # can work at once
        and m["authorized_to_work_in_us"]  # authorized to work in the US
        and m["was_authorized_to_work_when_job_lost"]  # also when the job was lost
    )


def eligible(hh):
    return any(insured(m) for m in hh)
