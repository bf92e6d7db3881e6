"""Sandboxes for several threads."""

import threading
from collections.abc import Iterator

import pytest

from indexer.errors import ConfigurationError, SandboxError
from indexer.system.sandbox import SandboxLimits
from indexer.system.sandbox_pool import SandboxPool

ACT = "tests.sandboxed_functions:act"


@pytest.fixture
def pool() -> Iterator[SandboxPool]:
    pool = SandboxPool(ACT, SandboxLimits(seconds=20, megabytes=512))
    yield pool
    pool.close()


def test_one_thread_needs_one_process(pool: SandboxPool) -> None:
    pool.start()
    assert len({pool.run(b"pid") for _ in range(3)}) == 1


def test_threads_are_served_at_once(pool: SandboxPool) -> None:
    together = threading.Barrier(2)
    found: list[bytes] = []

    def run() -> None:
        together.wait()
        found.append(pool.run(b"pid"))

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 2


def test_a_request_that_fails_leaves_its_sandbox_to_the_next(pool: SandboxPool) -> None:
    with pytest.raises(SandboxError):
        pool.run(b"no such act")
    assert int(pool.run(b"pid"))


def test_a_closed_pool_serves_again(pool: SandboxPool) -> None:
    first = pool.run(b"pid")
    pool.close()
    assert pool.run(b"pid") != first


def test_limits_that_are_not_valid_are_refused_at_once() -> None:
    with pytest.raises(ConfigurationError):
        SandboxPool(ACT, SandboxLimits(seconds=0))
