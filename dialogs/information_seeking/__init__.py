"""Two agents and a tree of facts: a seeker asks for what is unclear, a provider tells it."""
