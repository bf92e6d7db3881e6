"""Which URLs may be stories, and what the answer to a request is worth: pure functions."""
