"""Local files that survive a crash: journals, locks, spools, and writing whole or not at all.

Nothing here knows what the files contain.
"""
