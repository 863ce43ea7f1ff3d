"""BeNYfits: eligibility for benefits, decided by asking questions (ProADA, sections 2 to 6)."""
