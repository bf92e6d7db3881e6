"""Reading compressed and damaged files."""

import gzip
import io
import random
from collections.abc import Callable
from typing import BinaryIO

import pytest

from indexer.errors import FetchError, InputError, StorageError
from indexer.text.unpacking import head_of, packed, some, unpacked
from tests.each_row import each_row

TEXT = b"".join(b"line %d\n" % number for number in range(50_000))
PACKED = gzip.compress(TEXT)
PLENTY = 1 << 30


def read(data: bytes, limit: int = PLENTY) -> bytes:
    """Return the whole content of a file."""
    with unpacked("name", io.BytesIO(data), limit) as file:
        return file.read()


def read_until_it_breaks(data: bytes) -> tuple[bytes, str]:
    """Return the readable part of a file, and the error after it."""
    parts = []
    with unpacked("name", io.BytesIO(data), PLENTY) as file:
        try:
            while more := some(file, 1000):
                parts.append(more)
        except InputError as error:
            return b"".join(parts), str(error)
    return b"".join(parts), ""


@pytest.mark.parametrize(
    ("data", "content"),
    [
        (b"", b""),
        (b"x", b"x"),
        (b"\x1f", b"\x1f"),
        (TEXT, TEXT),
        (PACKED, TEXT),
        (PACKED + gzip.compress(b"more"), TEXT + b"more"),
        (gzip.compress(b"") + gzip.compress(b"a"), b"a"),
        (PACKED + bytes(1000), TEXT),
        (PACKED + b"what is this?", TEXT),
        (gzip.compress(PACKED), PACKED),
    ],
    ids=[
        "empty",
        "short",
        "half-magic",
        "plain",
        "gzip",
        "members",
        "empty-member",
        "padding",
        "garbage",
        "twice",
    ],
)
def test_gzip_is_recognised_by_its_first_bytes(data: bytes, content: bytes) -> None:
    assert read(data) == content


@each_row("cut", [3, 12, 1000, len(PACKED) - 1])
def test_a_truncated_gzip_is_an_error_after_all_that_can_be_read(cut: int) -> None:
    content, error = read_until_it_breaks(PACKED[:cut])
    assert error == "name: the gzip file is cut off"
    assert TEXT.startswith(content)
    assert len(content) >= cut - 100 if cut == 1000 else True


def test_a_file_that_stays_packed_is_read_unchanged_up_to_the_limit() -> None:
    with packed("name", io.BytesIO(PACKED), len(PACKED)) as file:
        assert file.read() == PACKED
    with (
        packed("name", io.BytesIO(PACKED), len(PACKED) - 1) as file,
        pytest.raises(InputError, match="name: it is larger than the limit"),
    ):
        file.read()


def test_a_truncated_second_member_is_an_error_after_the_first() -> None:
    assert read_until_it_breaks(PACKED + PACKED[:8]) == (TEXT, "name: the gzip file is cut off")


def test_a_damaged_gzip_is_an_error() -> None:
    damaged = bytearray(PACKED)
    damaged[-6] ^= 1
    content, error = read_until_it_breaks(bytes(damaged))
    assert "damaged" in error
    assert TEXT.startswith(content)


@pytest.mark.parametrize("data", [b"x" * 101, gzip.compress(b"x" * 101)])
def test_the_limit_is_exact(data: bytes) -> None:
    assert len(read(data, 101)) == 101
    with pytest.raises(InputError, match="larger"):
        read(data, 100)


@each_row("opened", [unpacked, packed])
@each_row("error", [OSError(5, "Input/output error"), StorageError("gone"), FetchError("reset")])
def test_a_failure_of_reading_is_an_input_error(
    error: Exception, opened: Callable[[str, BinaryIO, int], BinaryIO]
) -> None:
    class Failing(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            if not (data := super().read(size)):
                raise error
            return data

    with (
        opened("name", Failing(b"x" * 100_000), PLENTY) as file,
        pytest.raises(InputError, match="name: "),
    ):
        file.read()


def test_closing_closes_the_file() -> None:
    file = io.BytesIO(b"x")
    unpacked("name", file, PLENTY).close()
    assert file.closed


def test_the_magic_of_a_member_may_come_in_two_reads() -> None:
    class Pieces(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            return super().read(len(PACKED) + 1 if self.tell() == 0 else size)

    with unpacked("name", Pieces(PACKED + gzip.compress(b"more")), PLENTY) as file:
        assert file.read() == TEXT + b"more"


def test_the_head_of_a_damaged_file_is_its_readable_part_and_the_error_comes_again() -> None:
    whole = gzip.compress(random.Random(1).randbytes(100_000))
    with unpacked("cut", io.BytesIO(whole[:-50_000]), 1 << 20) as file:
        assert 10_000 < len(head_of(file)) <= 1 << 16
        with pytest.raises(InputError, match="cut off"):
            file.read()
