"""The subcommands of `story-indexer jobs`: durable jobs of all programs, listed and changed."""
