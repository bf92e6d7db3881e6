"""Queues of stories written to archives, and archives queued: for operators and tests."""
