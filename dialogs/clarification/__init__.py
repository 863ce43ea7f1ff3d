"""What a request leaves open on a catalog, as questions whose answers are constraints."""
