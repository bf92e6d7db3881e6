"""Tables of keys, and the readers of their values. What is never here: a mapping."""
