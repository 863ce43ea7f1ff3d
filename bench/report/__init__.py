"""The HTML report on runs and results: leaderboard, paired comparisons, conversations."""
