"""Portions of messages."""

import pytest

from indexer.broker import portions
from indexer.messages.message import Send


def lengths(*sizes: int) -> list[list[int]]:
    """The sizes of the messages in each portion."""
    found = portions.portions(Send("", "q", bytes(size)) for size in sizes)
    return [[len(send.body) for send in portion] for portion in found]


def test_a_portion_has_a_limit_of_messages_and_of_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portions, "MESSAGES", 3)
    monkeypatch.setattr(portions, "BYTES", 100)
    assert lengths(1, 1, 1, 1) == [[1, 1, 1], [1]]
    assert lengths(60, 60, 500, 1) == [[60, 60], [500], [1]]
    assert lengths() == []
