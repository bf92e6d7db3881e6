"""Commands about the queues of a broker: `qutil`, and what it shares with `pipeline.py`."""
