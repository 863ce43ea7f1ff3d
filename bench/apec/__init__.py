"""The benchmark of APEC-Travel: travellers, roles, judge, metrics, preference data."""
