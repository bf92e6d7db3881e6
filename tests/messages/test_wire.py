"""The bytes of messages."""

import msgspec
import pytest

from indexer.errors import DecodeError
from indexer.messages import wire


class Note(msgspec.Struct):
    """A small message."""

    text: str
    v: int = 2


DECODER = msgspec.json.Decoder(Note)


def load(data: bytes, limit: int = 100) -> tuple[Note, bytes | None]:
    """The note of a message."""
    return wire.load(data, DECODER, "note", 2, limit)


def test_a_message_is_a_line_that_can_be_read_and_a_body() -> None:
    data = wire.dump(Note("hello"), b"\x00\n\xff")
    assert data.startswith(b'{"text":"hello","v":2}\n')
    assert load(data) == (Note("hello"), b"\x00\n\xff")


def test_no_body_is_not_an_empty_one() -> None:
    assert load(wire.dump(Note("a")))[1] is None
    assert load(wire.dump(Note("a"), b""))[1] == b""


def test_what_is_not_known_is_overlooked() -> None:
    assert load(b'{"text":"a","v":1,"more":[1]}')[0] == Note("a", 1)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "not a note"),
        (b"\xff\xfe", "not a note"),
        (b"[]", "not a note"),
        (b'{"text":1}', "not a note"),
        (b'{"text":"a","v":3}', "format 3"),
        (b'{"other":"a","v":3}', "format 3"),
        (b'{"text":"a"}\nno zstandard', "unpack"),
        (wire.dump(Note("a"), bytes(101)), "unpacks to 101 bytes"),
        (wire.dump(Note("a"), bytes(50))[:-5], "unpack"),
    ],
)
def test_what_is_not_a_message_says_why(data: bytes, why: str) -> None:
    with pytest.raises(DecodeError, match=why):
        load(data)
