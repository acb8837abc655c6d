"""Policies as objects: their versions, what is doubtful about them, and what they would do to turns that happened."""
