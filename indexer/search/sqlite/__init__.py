"""The embedded search index: full-text search in one SQLite file."""
