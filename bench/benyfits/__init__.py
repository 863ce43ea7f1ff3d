"""BeNYfits: who is eligible for which benefits, found out by asking (ProADA, sections 2 to 6)."""
