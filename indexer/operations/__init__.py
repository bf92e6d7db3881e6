"""Tools for operators: statistics of RabbitMQ and Docker Swarm, and the central log.

No module of this room takes part in a pipeline.
"""
