"""The library: a core that is blind to families, and the families' domain code.

    produce → [queue] → load → hold? → process → Outcome(status, sends) → settle → [queues]

Imports go one way: ``workers.F`` → ``indexer.F`` → the core; ``indexer.commands`` may import
everything and is imported by nothing. ``tests/test_architecture.py`` enforces it.
"""
