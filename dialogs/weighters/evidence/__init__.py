"""What people did with what they were shown, as weights: a conditional logit over a log."""
