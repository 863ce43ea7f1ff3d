"""What the five documents print, once: every table and figure by name, every number by its cell."""
