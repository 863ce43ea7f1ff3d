"""The first question of a process, each in a process of its own: import, open, ask, write."""
TITLE=NOTE="x"
def jobs(setting): return []
