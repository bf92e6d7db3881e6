"""The subcommands of `story-indexer software`, a module for each, and what they read."""
