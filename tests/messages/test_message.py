"""Messages beyond the limits of AMQP are refused before they are sent."""

import pytest

from indexer.errors import BrokerError
from indexer.messages import message
from indexer.messages.message import Send, check, known, storable
from tests.each_row import each_row


@pytest.mark.parametrize(
    "send",
    [
        Send("", "k" * 255, b""),
        Send("e" * 255, "", b""),
        Send("", "k", b"", {"a": "é" * 1000, "b": 2**63 - 1, "c": -(2**63)}),
    ],
)
def test_what_fits_is_fine(send: Send) -> None:
    check(send)


@each_row(
    ("send", "why"),
    [
        (Send("", "k" * 256, b""), "255 bytes"),
        (Send("", "é" * 128, b""), "255 bytes"),
        (Send("e" * 256, "k", b""), "255 bytes"),
        (Send("", "k\ud800", b""), "not in Unicode"),
        (Send("e\ud800", "k", b""), "not in Unicode"),
        (Send("", "k", b"", {"a\ud800": 1}), "not in Unicode"),
        (Send("", "k", b"", {"a": "x" * 65536}), "headers above"),
        (Send("", "k", b"", {"a": 2**63}), "header a"),
        (Send("", "k", b"", {"a": 1.5}), "header a"),  # type: ignore[dict-item] # on purpose
    ],
)
def test_what_no_broker_carries_is_refused(send: Send, why: str) -> None:
    with pytest.raises(BrokerError, match=why):
        check(send)


def test_a_body_above_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(message, "MAX_BODY_BYTES", 10)
    with pytest.raises(BrokerError, match="11 bytes"):
        check(Send("", "k", bytes(11)))


def test_text_that_is_not_unicode_is_escaped() -> None:
    assert storable({"a": "\ud800é", "n": 1}) == {"a": r"\ud800é", "n": 1}


def test_an_origin_has_the_facts_that_are_known_and_can_not_be_changed() -> None:
    origin = known(feed_id=0, domain=None, set="a")
    assert origin == {"feed_id": 0, "set": "a"}
    with pytest.raises(TypeError):
        origin["set"] = "b"  # type: ignore[index]
