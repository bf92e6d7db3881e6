"""The embedded broker: all queues in one SQLite file, for many processes of one machine.

It keeps RabbitMQ's promises with transactions in place of confirms, and needs no server. Nothing
here decides where a message goes after it was processed.
"""
