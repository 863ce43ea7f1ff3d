"""English as tables and patterns: what extraction, rules, answers and simulated users share."""
