"""A process is ready while it works."""

import pytest

from indexer.system.readiness import is_ready, working


def test_a_process_is_ready_while_it_works_and_not_after_a_failure() -> None:
    assert not is_ready()
    with working():
        assert is_ready()
    with pytest.raises(ValueError, match="broken"), working():
        raise ValueError("broken")
    assert not is_ready()
