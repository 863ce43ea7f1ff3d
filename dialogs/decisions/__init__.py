"""Decisions by conversation: programs decide, and what they miss becomes the next question.

KeyTable, Slot      typed facts of a household and its members
Program             a checked program that decides one question
"""
