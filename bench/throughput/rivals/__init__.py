"""The methods that take part, one a file; the registry says which section asks whom."""
