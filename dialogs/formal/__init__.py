"""The solver-style baselines: unsat cores say what clashes, and edits are proposed one by one."""
