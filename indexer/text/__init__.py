"""Text and bytes from outside: cleaned, decoded, unpacked, read as dates and tables.

Pure functions on hostile input: each is bounded, and none does I/O of its own.
"""
