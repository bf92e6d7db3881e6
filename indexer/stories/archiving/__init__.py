"""WARC files of stories: written, read, verified, and searched for URLs.

The format of single WARC records is in `indexer.warc`.
"""
