"""Operators' tools for an Elasticsearch: templates, policies, snapshots, statistics, reindexing.

No worker imports this room.
"""
