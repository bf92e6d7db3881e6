"""The engine that `make test-deploy` has started."""

import pytest

from scripts.docker.client import Client, running


@pytest.fixture(scope="session")
def client() -> Client:
    """Docker's command line on that engine."""
    return running()
