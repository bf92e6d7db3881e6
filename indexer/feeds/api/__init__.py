"""The HTTP API of feeds: requests, parameters, answers and credentials.

It reads the database, and calls `registry`, `polling` and `tools`. Nothing here polls a feed.
"""
