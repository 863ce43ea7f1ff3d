"""How well words are understood: requests and conversations with gold, and what is trained on them."""
