"""MUS and unique-repair search for benchmark generation."""
