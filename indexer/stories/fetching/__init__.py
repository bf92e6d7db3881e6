"""Checks of a story's URL and of the answer to its request: pure functions."""
