"""What stands beside the printed figures of each document."""
