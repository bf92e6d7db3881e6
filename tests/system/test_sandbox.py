"""A function in a process of its own: it answers."""

import os
from collections.abc import Iterator

import pytest

from indexer.errors import ConfigurationError
from indexer.system.sandbox import Sandbox, SandboxLimits

ACT = "tests.sandboxed_functions:act"


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    sandbox = Sandbox(ACT, SandboxLimits(seconds=20, megabytes=512))
    yield sandbox
    sandbox.close()


def test_one_process_serves_many_requests(sandbox: Sandbox) -> None:
    assert len({sandbox.run(b"pid") for _ in range(3)}) == 1
    assert int(sandbox.run(b"pid")) != os.getpid()


@pytest.mark.parametrize(
    "limits", [SandboxLimits(seconds=0), SandboxLimits(seconds=-1), SandboxLimits(megabytes=0)]
)
def test_limits_of_nothing_are_refused(limits: SandboxLimits) -> None:
    with pytest.raises(ConfigurationError):
        Sandbox(ACT, limits)
