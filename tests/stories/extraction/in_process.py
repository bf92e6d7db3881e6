"""Extraction in the process of the tests: the same code as in a sandbox, without its start."""

from typing import Any

import pytest

from indexer.stories.extraction import extraction, extractor


class InProcess:
    """A sandbox that is none."""

    def __init__(self, *_: Any) -> None:
        """See `Sandbox`."""

    def start(self) -> None:
        """See `Sandbox`."""

    def run(self, request: bytes) -> bytes:
        """The answer to a request."""
        return extraction.answer(request)

    def close(self) -> None:
        """See `Sandbox`."""


@pytest.fixture(autouse=True, scope="module")
def in_process() -> Any:
    """No test of the module starts a process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(extractor, "Sandbox", InProcess)
        yield
