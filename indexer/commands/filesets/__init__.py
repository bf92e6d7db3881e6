"""The subcommands of `story-indexer filesets`, one module for each group of them."""
