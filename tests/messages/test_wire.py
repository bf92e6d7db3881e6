"""The bytes of messages."""

import msgspec
import pytest
import zstandard

from indexer.errors import DecodeError
from indexer.messages import wire
from tests.each_row import each_row


class Note(msgspec.Struct):
    """A small message."""

    text: str
    v: int = 2


DECODER = msgspec.json.Decoder(Note)


def load(data: bytes, limit: int = 100) -> tuple[Note, bytes | None]:
    """The note of a message, and its body."""
    line, body, _ = wire.load(data, DECODER, "note", 2, limit)
    return line, None if body is None else body.data


def dump(text: str, body: bytes) -> bytes:
    """The message of a note with a body."""
    return wire.dump(Note(text), wire.PackedBody(body))


def test_a_message_is_a_line_that_can_be_read_and_a_body() -> None:
    data = dump("hello", b"\x00\n\xff")
    assert data.startswith(b'{"text":"hello","v":2}\n')
    assert load(data) == (Note("hello"), b"\x00\n\xff")


def test_the_search_for_unknown_fields_is_left_out_where_there_can_be_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(wire, "_unknown", pytest.fail)
    assert load(dump("a \u2028 é \x00", b"")) == (Note("a \u2028 é \x00"), b"")


def test_no_body_is_not_an_empty_one() -> None:
    assert load(wire.dump(Note("a")))[1] is None
    assert load(dump("a", b""))[1] == b""


TEXT = b"<p>A paragraph of a page.</p>\n" * 200

PROGRAMS = {
    "of this version": zstandard.ZstdCompressor(level=1),
    "of earlier versions": zstandard.ZstdCompressor(level=3),
    "that check their work": zstandard.ZstdCompressor(level=19, write_checksum=True),
    "that write in parts": zstandard.ZstdCompressor(write_content_size=True, threads=2),
}
"""Programs that have compressed bodies in queues and archives, and how."""


@each_row("program", list(PROGRAMS))
def test_a_body_that_nobody_reads_is_sent_on_as_it_came(program: str) -> None:
    data = b'{"text":"a","v":2}\n' + PROGRAMS[program].compress(TEXT)
    line, body, _ = wire.load(data, DECODER, "note", 2, len(TEXT))
    assert body is not None
    assert body.size == len(TEXT)
    assert wire.dump(line, body) == data
    assert body.data == TEXT
    assert wire.dump(line, body) == data


def test_programs_of_earlier_versions_read_bodies() -> None:
    packed = wire.PackedBody(TEXT).packed
    # Those versions refuse a frame that doesn't tell its size.
    assert zstandard.frame_content_size(packed) == len(TEXT)
    assert zstandard.ZstdDecompressor().decompress(packed) == TEXT


def test_a_body_is_compressed_once_and_unpacked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    sent, received = (
        wire.PackedBody(TEXT),
        wire.PackedBody.load(wire.PackedBody(TEXT).packed, "note", len(TEXT)),
    )
    assert (sent.packed, received.data) == (received.packed, sent.data)
    monkeypatch.setattr(wire, "zstandard", None)
    assert (sent.packed, received.data) == (received.packed, sent.data)


def test_a_body_that_is_cut_anywhere_is_never_taken_for_a_whole_one() -> None:
    whole = wire.PackedBody(TEXT).packed
    for end in range(len(whole)):
        with pytest.raises(DecodeError, match="unpack"):
            wire.PackedBody.load(whole[:end], "note", len(TEXT))


def test_damage_inside_a_body_is_found_when_the_body_is_read() -> None:
    packed = wire.PackedBody(TEXT).packed
    # The headers of frame and block are intact, with the lengths of both.
    body = wire.PackedBody.load(packed[:12] + b"\xff" * (len(packed) - 12), "note", len(TEXT))
    with pytest.raises(DecodeError, match="unpack"):
        _ = body.data


class Letter(msgspec.Struct, omit_defaults=True):
    """A message with another one in it."""

    note: Note
    reply: Note | None = None
    notes: list[Note] = msgspec.field(default_factory=list)


LETTERS = msgspec.json.Decoder(Letter)


def again(data: bytes) -> object:
    """The JSON of a message that a program has read and written."""
    line, body, unknown = wire.load(data, LETTERS, "letter", 2, 100)
    return msgspec.json.decode(wire.dump(line, body, unknown).partition(b"\n")[0])


def test_what_a_newer_program_has_added_is_written_again() -> None:
    whole = {
        "note": {"text": "a", "v": 1, "more": {"a": [1.5, None, "é"]}},
        "reply": {"text": "b", "v": 2, "note": ""},
        "unknown": 5,
        "later": {"note": {}},
    }
    assert again(msgspec.json.encode(whole)) == whole


def test_what_no_message_can_hold_is_not_kept() -> None:
    deep = b"[" * 60 + b"]" * 60
    data = b'{"note":{"text":"a"},"big":1' + b"0" * 30 + b',"deep":' + deep + b"}"
    found = again(data)
    assert isinstance(found, dict)
    assert (found["note"], found["big"]) == ({"text": "a", "v": 2}, None)
    assert str(found["deep"]).count("[") == wire.MAX_DEPTH
    assert wire.sendable({"\ud800a": ["\udc00", float("inf")]}) == {"a": ["", None]}


def test_a_part_that_a_program_takes_out_does_not_come_back() -> None:
    data = b'{"note":{"text":"a"},"reply":{"text":"b","more":1}}'
    line, _, unknown = wire.load(data, LETTERS, "letter", 2, 100)
    line.reply = None
    assert wire.dump(line, None, unknown) == b'{"note":{"text":"a","v":2}}\n'


@each_row(
    ("data", "why"),
    [
        (b"", "not a note"),
        (b"\xff\xfe", "not a note"),
        (b"[]", "not a note"),
        (b'{"text":1}', "not a note"),
        (b'{"text":"a","v":3}', "format 3"),
        (b'{"other":"a","v":3}', "format 3"),
        (b'{"text":"a"}\nno zstandard', "unpack"),
        (dump("a", bytes(101)), "unpacks to 101 bytes"),
        (dump("a", bytes(50))[:-5], "unpack"),
    ],
)
def test_what_is_not_a_message_says_why(data: bytes, why: str) -> None:
    with pytest.raises(DecodeError, match=why):
        load(data)
