"""The search index on Elasticsearch: many machines, several indices behind an alias.

Only `indexer.search.elasticsearch` imports the client library. Its operators' tools are in `admin`.
"""
