"""The subcommands of `story-indexer software mapping`, and the mappings by their names."""
