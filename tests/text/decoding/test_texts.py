"""Reading text of any encoding in pieces and lines."""

import io

import pytest

from indexer.errors import InputError
from indexer.text.decoding.texts import head_text, lines, table_head, table_pieces, text_pieces
from indexer.text.unpacking import head_of
from tests.each_row import each_row

LONG = "À Genève, où est passé l'été? Les cafés sont fermés. " * 10_000


class Trickle(io.BytesIO):
    """A file that returns one byte at a time."""

    def read1(self, size: int | None = -1) -> bytes:
        return super().read(1)


def text(data: bytes, head: int = 1 << 16) -> str:
    """Return the whole text."""
    file = io.BytesIO(data)
    return "".join(text_pieces(head_of(file, head), file))


@each_row("encoding", ["utf-8", "utf-8-sig", "utf-16", "windows-1252"])
def test_the_beginning_decides_the_encoding(encoding: str) -> None:
    assert text(LONG.encode(encoding)) == LONG


def test_the_declared_encoding_counts() -> None:
    declared = "<?xml version='1.0' encoding='koi8-r'?><a>Привет, мир</a>"
    assert text(declared.encode("koi8-r")) == declared


def test_text_that_is_ascii_at_first_is_utf_8() -> None:
    assert text(b"x" * 100_000 + "é".encode()) == "x" * 100_000 + "é"


def test_a_character_split_between_pieces_is_whole() -> None:
    for head in range(1, 6):
        assert text("éééé".encode(), head) == "éééé"


def test_undecodable_bytes_are_replaced() -> None:
    assert text("é".encode() * 100 + b"\xff!") == "é" * 100 + "\ufffd!"


@each_row("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be"])
def test_a_format_without_declarations_is_utf_8_or_has_a_mark(encoding: str) -> None:
    mark = b"\xfe\xff" if encoding == "utf-16-be" else b""
    data = mark + "aé,b".encode(encoding)
    assert "".join(text_pieces(data, io.BytesIO(), detect=False)) == "aé,b"
    data = "À Genève, où est passé l'été?".encode("windows-1252")
    assert "\ufffd" in "".join(text_pieces(data, io.BytesIO(), detect=False))


def test_the_head_is_filled_however_slowly_it_comes() -> None:
    assert head_of(Trickle(b"x" * 100), 60) == b"x" * 60
    assert head_of(Trickle(b"x" * 10), 60) == b"x" * 10


@pytest.mark.parametrize("data", [b"", b"  ", bytes(range(256)) * 100])
def test_bytes_that_are_not_text_are_blank(data: bytes) -> None:
    assert head_text(data) == ""


def test_an_error_comes_after_the_readable_part() -> None:
    class Broken(io.BytesIO):
        def read1(self, size: int | None = -1) -> bytes:
            if not (data := super().read1(size)):
                raise InputError("cut off")
            return data

    found: list[str] = []
    with pytest.raises(InputError):
        found.extend(text_pieces(b"", Broken(b"some text")))
    assert "".join(found) == "some text"


@each_row(
    ("content", "expected"),
    [
        ("", []),
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("a\r\nb\rc\nd", ["a", "b", "c", "d"]),
        ("\n\na", ["", "", "a"]),
        ("a\u2028b\x0bc\x85d", ["a\u2028b\x0bc\x85d"]),
        ("a\r", ["a"]),
        ("x" * 11 + "\na", [None, "a"]),
        ("x" * 500 + "\na", [None, "a"]),
        ("a\n" + "x" * 500, ["a", None]),
        ("x" * 10, ["x" * 10]),
    ],
)
@each_row("size", [1, 2, 5, 1000])
def test_lines(content: str, expected: list[str | None], size: int) -> None:
    pieces = (content[at : at + size] for at in range(0, len(content), size))
    assert list(lines(pieces, 10)) == expected


CELLS = "Über uns;Straße;naïve café;" * 100


def table(data: bytes, head: int = 1 << 16) -> str:
    """The whole text of a table."""
    file = Trickle(data)
    return "".join(table_pieces(head_of(file, head), file))


@each_row("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "windows-1252"])
def test_a_table_is_read_as_its_first_bytes_beyond_ascii_are(encoding: str) -> None:
    late = "x;" * 600 + CELLS
    assert table(CELLS.encode(encoding)) == CELLS
    # UTF-16 without a mark is recognised by its NULs, in the head.
    assert table(late.encode(encoding), head=1000) == late


@each_row(
    ("data", "found"),
    [
        (b"plain", "plain"),
        (b"", ""),
        ("Ünö".encode("windows-1252"), "Ünö"),
        ("Новости дня и ночи;".encode("windows-1251") * 9, "Новости дня и ночи;" * 9),
        ("é,é,é".encode() + b"\xff", "é,é,é\ufffd"),
        ("é".encode()[:1], "\ufffd"),
        (b"\x81\x8d", "\ufffd\ufffd"),
    ],
)
def test_a_table_without_valid_utf_8_is_in_the_encoding_of_a_system(
    data: bytes, found: str
) -> None:
    assert table(data) == found
    assert table_head(data) == found
