"""Services of the machine for a process: options, signals, logs, datagrams, sandboxes, retries.

Only `options` reads the environment. No module here knows messages, brokers or stories.
"""
