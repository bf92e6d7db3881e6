"""The `story-indexer` command: one module for each subcommand, a room for each group of them.

The top floor: it may import everything, and nothing imports it. A command parses arguments,
calls the library and prints. Rules of the domain are never here.
"""
