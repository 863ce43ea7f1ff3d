"""What can be asked about: data, columns, constraints, row sets."""
