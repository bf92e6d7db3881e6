"""The `story-indexer` command: one module for each subcommand, a room for each group of them.

The top floor: it may import everything, and nothing imports it. A command reads its options,
calls the library and prints the results. It has no rules of the domain.
"""
