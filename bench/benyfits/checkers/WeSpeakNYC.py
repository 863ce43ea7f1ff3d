"""We Speak NYC: some member is old enough for the classes.

First sentence: anyone. Second sentence: the classes are for learners of 16 and above.
Reading: the age that the classes are made for is asked, the level of English is not.
"""


def eligible(hh):
    return any(m["age"] >= 16 for m in hh)  # 16 or older
