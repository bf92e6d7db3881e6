"""The `story-indexer` command: one module a subcommand. Imports everything, imported by nothing."""
