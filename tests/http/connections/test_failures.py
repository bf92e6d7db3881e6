"""The kinds of fetch failures: every error of fetching carries one."""

import pytest

from indexer.errors import FetchError
from indexer.http.connections.failures import FetchFailure


@pytest.mark.parametrize("error", [FetchError, *FetchError.__subclasses__()])
def test_the_failure_of_an_error_is_a_known_kind(error: type[FetchError]) -> None:
    assert FetchFailure(error("why").failure) in FetchFailure
