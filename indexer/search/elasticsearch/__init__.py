"""The search index on Elasticsearch: any number of machines, several indices behind an alias.

Only this room imports the client library. The operators' tools are in `admin`.
"""
