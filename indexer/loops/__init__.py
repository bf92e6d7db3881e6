"""The loops around workers: they receive, call the worker, settle, and tell observers.

    Runner       one message at a time, in threads
    BatchRunner  many messages, one flush
    produce      from a generator to queues, between water marks

A loop decides nothing about a message: `messages.outcome` does. It reads no options.
"""
