"""Commands for an Elasticsearch server: set up, reindex, update domains."""
