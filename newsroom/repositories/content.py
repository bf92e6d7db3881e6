"""The bytes of a file: small ones are kept, large ones are one block again and again.

Content(block, size) → parts(start, stop) as they are sent      → hash(name)
"""

import hashlib
import zlib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from mmap import mmap

PRIME_BLOCK = 1_048_573
"""The size of blocks of large files: a prime, so that parts at round offsets all differ."""

CRC = "crc32"
HASHES = ("md5", "sha1", "sha256", "sha512")


class Content:
    """`size` bytes: the block is repeated and cut. Hashes that are `known` are not computed."""

    def __init__(
        self, block: bytes | mmap, size: int | None = None, known: Mapping[str, str] | None = None
    ) -> None:
        self.block = block
        self.size = len(block) if size is None else size
        self._hashes = dict(known or {})

    def parts(self, start: int = 0, stop: int | None = None) -> Iterator[memoryview]:
        """The bytes from `start` until before `stop`."""
        end = self.size if stop is None else min(stop, self.size)
        view = memoryview(self.block)
        while start < end:
            at = start % len(view)
            part = view[at : at + end - start]
            yield part
            start += len(part)

    def hash(self, name: str) -> str:
        """The hash in hexadecimal digits; `name` as in HASHES, or CRC."""
        if name not in self._hashes and name == CRC:
            crc = 0
            for part in self.parts():
                crc = zlib.crc32(part, crc)
            self._hashes[name] = f"{crc:08x}"
        elif name not in self._hashes:
            digest = hashlib.new(name, usedforsecurity=False)
            for part in self.parts():
                digest.update(part)
            self._hashes[name] = digest.hexdigest()
        return self._hashes[name]

    def whole(self) -> bytes:
        """All bytes, of a small file."""
        return b"".join(self.parts())

    def spoilt(self) -> "Content":
        """Another content of the same size: the last byte of the block differs."""
        return Content(self.block[:-1] + bytes([self.block[-1] ^ 1]), self.size)


def random_bytes(seed: str, size: int) -> bytes:
    """Bytes that no compression makes smaller; the same for each call."""
    return hashlib.shake_128(seed.encode()).digest(size)


def table_of_numbers(seed: str, size: int) -> bytes:
    """A table in CSV of exactly `size` bytes, at least 20."""
    digits = int.from_bytes(random_bytes(seed, 64))
    row = ",".join(f"{digits >> at & 0xFFFF}" for at in range(0, 512, 64))
    rows = "".join(f"{number},{row}\n" for number in range(size // len(row) + 1))
    return ("station,a,b,c\n" + rows).encode()[: size - 1] + b"\n"


@lru_cache(maxsize=4)
def large(seed: str, size: int, **known: str) -> Content:
    """A content that needs no more memory than its block."""
    return Content(random_bytes(seed, PRIME_BLOCK), size, known)
