"""What a process asks of its machine: options, signals, logs, datagrams, sandboxes, patience.

The environment is read in `options` and nowhere else. Nothing here knows messages.
"""
