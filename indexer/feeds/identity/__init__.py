"""When two items are the same story, and which site a URL belongs to: pure functions.

Nothing here does I/O. `docs/feeds/identity.md` states the rules.
"""
