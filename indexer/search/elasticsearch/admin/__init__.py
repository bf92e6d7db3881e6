"""Operators' tools for an Elasticsearch: templates, policies, snapshots, statistics, reindexing.

No worker imports this room, except elastic-stats for its statistics.
"""
