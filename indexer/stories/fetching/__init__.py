"""Checks of a story's link and of the answer to its request, without I/O."""
