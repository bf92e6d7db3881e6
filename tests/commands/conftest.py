"""Queues for the commands that look after them."""

from pathlib import Path

import pytest

from tests.commands.queues import Queues


@pytest.fixture(params=["sqlite", pytest.param("rabbitmq", marks=pytest.mark.external)])
def queues(request: pytest.FixtureRequest, tmp_path: Path) -> Queues:
    """The queues of a small pipeline, on a broker of each kind."""
    if request.param == "sqlite":
        found = Queues(f"sqlite:///{tmp_path}/queues.sqlite3")
    else:
        found = Queues(request.getfixturevalue("rabbitmq_url"))
    found.declare()
    return found
