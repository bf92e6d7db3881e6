"""Fixtures of the tests of programs."""

from tests.workers.conftest import own_logs

__all__ = ["own_logs"]
