"""What to do about it: policies, shifts, ranking, explanation."""
