"""Training and measuring the readers of people's words, on sentences made and converted."""
