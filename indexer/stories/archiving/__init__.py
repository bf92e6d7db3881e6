"""WARC files of stories: written, read, verified, and searched for URLs.

How a WARC record looks is in `indexer.warc`.
"""
