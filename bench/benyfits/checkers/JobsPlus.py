"""Jobs-Plus: some member is a NYCHA resident of a Jobs Plus neighborhood, old enough to work.

Reading: old enough to work is 16 or older.
"""


def worker(m):
    return (
        m["age"] >= 16  # old enough to work
        and m["lives_in_jobs_plus_neighborhood"]  # lives in a Jobs Plus neighborhood
    )


def eligible(hh):
    if hh["housing_type"] != "NYCHA development":  # NYCHA residents
        return False
    return any(worker(m) for m in hh)
