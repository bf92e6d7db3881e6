"""What stories and feeds share: document ids, sites, homepages, and the formats of feeds.

Nothing here does I/O, and nothing here knows a database, a queue or a program.
"""
