"""Waits of random streaks of failures."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from indexer.feeds.statuses import Severity
from tests.feeds.polling.test_backoff import HARD, MONTH, SOFT, TEMPORARY, waits

streaks = st.lists(st.sampled_from([HARD, SOFT, TEMPORARY]), min_size=2, max_size=150)


@given(base=st.floats(10, 20_000), severities=streaks)
def test_waits_grow_without_jumps_up_to_a_limit(base: float, severities: list[Severity]) -> None:
    found = waits(base, severities)
    assert all(before <= after <= 2 * before * (1 + 1e-9) for before, after in pairwise(found))
    assert base <= found[0] <= 2 * base
    assert found[-1] <= max(base, MONTH)
