"""The rules by which two items are one story, and the hosts that limits apply to.

Pure functions, without I/O. `docs/feeds/identity.md` states the rules.
"""
