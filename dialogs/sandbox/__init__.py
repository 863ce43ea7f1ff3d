"""Programs nobody has read: checked against an allow-list, then run within limits."""
