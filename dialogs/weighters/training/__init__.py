"""How the learned weighter is trained: a corpus of our own wording, and the fit."""
