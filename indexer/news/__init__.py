"""The rules that stories and feeds share: normalised URLs, ids, sites, homepages, feed formats.

Nothing here does I/O, and nothing here knows a database, a queue or a program.
"""
