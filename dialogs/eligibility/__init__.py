"""Whether a household is eligible: rules to programs, questions, answers, sandbox."""
