"""How fast: our answers beside those of other tools, the same questions in one run.

A section is a list of jobs; a job is a comparison of methods over one question, or something about
this machine. A comparison compares all answers before it times any. A new rival is one file in
`rivals/` and one line in its registry.
"""
