"""Reads text and bytes of unknown origin: cleaning, decoding, unpacking, dates, tables.

The functions expect hostile input: each is bounded in time and memory, and none opens files or
connections.
"""
