"""Tools that an agent calls: what they take, what they reply, and recorded replies."""
