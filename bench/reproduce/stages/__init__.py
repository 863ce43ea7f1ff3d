"""The stages of each benchmark: which parts of it are run, on what, and what is kept of them."""
