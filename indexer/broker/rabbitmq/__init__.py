"""The broker on RabbitMQ: quorum queues, publisher confirms, one I/O thread for each connection.

Only this room imports `pika`. Nothing here decides where a message goes after it was processed.
"""
