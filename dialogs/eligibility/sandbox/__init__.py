"""Run programs nobody has read: checked against an allow-list, then within limits."""
