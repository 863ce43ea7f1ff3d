"""Read answers to questions about facts without a model: who, what, how much, or not known."""
