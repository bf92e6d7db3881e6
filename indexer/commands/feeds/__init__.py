"""The subcommands of `story-indexer feeds`, one module for each group of them."""
