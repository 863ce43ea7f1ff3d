"""One group of HTTP routes a file."""
