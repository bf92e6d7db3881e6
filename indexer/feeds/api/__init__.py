"""The HTTP API of feeds: requests, parameters, answers, and who may ask.

It reads the database and calls `registry` and `tools`. Nothing here polls a feed.
"""
