"""The loops around programs: they receive messages, call the worker, settle, notify observers.

    Runner          one message at a time, in threads
    BatchRunner     many messages, one flush
    JobRunner       one durable job at a time, in threads, for hours
    ProducerRunner  from a generator to queues, between water marks
    Inbox           the input queue of the first three

A loop decides nothing about a message: `messages.outcome` does. It reads no options.
"""
