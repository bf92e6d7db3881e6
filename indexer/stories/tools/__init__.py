"""Queues of stories as files, and files of stories as queues: for operators and tests."""
