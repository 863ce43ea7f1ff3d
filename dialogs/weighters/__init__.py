"""Weighters: how much each constraint matters, read from what a person said."""
