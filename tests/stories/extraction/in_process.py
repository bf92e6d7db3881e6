"""Extraction in the process of the tests: the same code as in a sandbox, without its start."""

from typing import Any

import pytest

from indexer.stories.extraction import extraction, extractor


class InProcess:
    """A pool of sandboxes that has none."""

    def __init__(self, *_: Any) -> None:
        """See `SandboxPool`."""

    def start(self) -> None:
        """See `SandboxPool`."""

    def run(self, request: bytes, seconds: float | None = None) -> bytes:
        """The answer to a request."""
        return extraction.answer(request)

    def close(self) -> None:
        """See `SandboxPool`."""


@pytest.fixture(autouse=True, scope="module")
def in_process() -> Any:
    """No test of the module starts a process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(extractor, "SandboxPool", InProcess)
        yield
