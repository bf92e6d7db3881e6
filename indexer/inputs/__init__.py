"""What a producer reads: where inputs are, which are done, and how far the others are.

Nothing here knows what is in an input.
"""
