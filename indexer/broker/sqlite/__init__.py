"""The embedded broker: all queues in one SQLite file, for many processes of one machine.

It keeps the promises of RabbitMQ, with one transaction in place of confirms. It needs no server.
"""
