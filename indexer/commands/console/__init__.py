"""Input and output of commands: options, tables, progress, confirmations, exit status.

This room has no command, and knows no stories, feeds or queues.
"""
