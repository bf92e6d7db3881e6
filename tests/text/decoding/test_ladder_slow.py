"""Hostile declarations of an encoding."""

import time

from indexer.text.decoding.ladder import declared_label
from tests.each_row import each_row


@each_row("piece", [b"<meta ", b"<!--", b"<meta a=", b'<?xml encoding="', b"=", b"a"])
def test_a_hostile_head_takes_no_time(piece: bytes) -> None:
    """A regular expression that begins anew at each letter of a name would take minutes."""
    started = time.process_time()
    declared_label(b"<meta " + piece * 200_000)
    assert time.process_time() - started < 10
