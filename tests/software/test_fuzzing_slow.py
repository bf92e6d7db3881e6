"""Hostile inputs: no exception escapes the translation of any format, and each ends in time."""

import pytest

from benchmarks.software.fuzzing import ALL, LONGEST, fuzz


@pytest.mark.parametrize("name", sorted(ALL))
def test_hostile_inputs_are_translated_or_diagnosed(name: str) -> None:
    assert fuzz(ALL[name], 250, seed=7).longest < 5 * LONGEST
