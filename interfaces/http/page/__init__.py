"""The search page: HTML without a build step."""
