"""How a command talks to the person who typed it: input, tables, progress, exit status.

No command is here, and nothing that knows about stories, feeds or queues.
"""
