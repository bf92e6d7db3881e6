"""JSON answers of platforms, read so that a surprise is a `platform-error` that names the field.

answer["metadata"]["title"].text    "" if it is missing, or no text
answer["id"].needed                 raises FilesetError: "zenodo.org/api/records/1: id: no value"
answer["files"].items               [] if it is missing; raises FilesetError if it is no list
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from indexer.errors import FilesetError
from indexer.text.cleaning import is_text

_EXACT_SIZE = re.compile(r"(\d{1,19})\s*(?:b|bytes?)?", re.IGNORECASE)
_MAX_SIZE = 2**63 - 1

_LENGTHS = {"md5": 32, "sha1": 40, "sha256": 64, "sha512": 128}
_BY_LENGTH = {length: name for name, length in _LENGTHS.items()}
_HEX = re.compile(r"[0-9a-f]+")


class JSONValue:
    """A value in a JSON answer; `place` says where it is, for error messages."""

    def __init__(self, value: Any, place: str) -> None:
        self.value = value
        self.place = place

    @classmethod
    def read(cls, body: bytes, place: str) -> "JSONValue":
        """The value of a body. Raises FilesetError (`platform-error`) if it is no JSON."""
        try:
            return cls(json.loads(body), place)
        except (ValueError, RecursionError) as error:
            raise FilesetError("platform-error", f"{place}: the answer is no JSON") from error

    def __getitem__(self, key: str) -> "JSONValue":
        """The value of a key; an empty value if it is missing."""
        found = self.value.get(key) if isinstance(self.value, dict) else None
        return JSONValue(
            found, f"{self.place}: {key}" if ": " not in self.place else f"{self.place}.{key}"
        )

    def __bool__(self) -> bool:
        return bool(self.value)

    def __contains__(self, key: str) -> bool:
        return isinstance(self.value, dict) and key in self.value

    @property
    def text(self) -> str:
        """A text as it is, or a number as a text; "" for all else."""
        is_number = isinstance(self.value, int | float) and not isinstance(self.value, bool)
        return _encodable(str(self.value)) if is_number or isinstance(self.value, str) else ""

    @property
    def needed(self) -> str:
        """The text. Raises FilesetError (`platform-error`) if there is none."""
        if not self.text.strip():
            raise FilesetError("platform-error", f"{self.place}: no value")
        return self.text

    @property
    def is_true(self) -> bool:
        """Whether the value is true, or a text or number that says so."""
        return self.value is True or self.text.lower() in ("true", "1")

    @property
    def is_false(self) -> bool:
        """Whether the value is false, or a text or number that says so; a missing one is not."""
        return self.value is False or self.text.lower() in ("false", "0")

    @property
    def items(self) -> list["JSONValue"]:
        """The values of a list; [] if it is missing. Raises FilesetError for other types."""
        if self.value is not None and not isinstance(self.value, list):
            raise FilesetError("platform-error", f"{self.place}: not a list")
        return [JSONValue(each, f"{self.place}[{at}]") for at, each in enumerate(self.value or ())]

    @property
    def one_or_more(self) -> list["JSONValue"]:
        """The values of a list, or the only value: JSON-LD allows both; [] if it is missing."""
        return self.items if isinstance(self.value, list | None) else [self]

    @property
    def members(self) -> Mapping[str, "JSONValue"]:
        """The values of an object by key; {} for all else."""
        found = self.value if isinstance(self.value, dict) else {}
        return {_encodable(key): self[key] for key in found}

    @property
    def size(self) -> int | None:
        """A number of bytes, also as a text; None for all else: `1.2 MB` is rounded."""
        found = _EXACT_SIZE.fullmatch(self.text)
        size = int(found[1]) if found else None
        return size if size is not None and size <= _MAX_SIZE else None


def _encodable(text: str) -> str:
    """The text without lone surrogates, which JSON allows, and no other format."""
    return text if is_text(text) else text.encode(errors="replace").decode()


def hash_of(text: str, algorithm: str = "") -> dict[str, str]:
    """The hash in a text, by the name of its algorithm: `md5:ab…`, or `ab…` with the name apart.

    Without any name, the length tells it. {} for an empty text, or digits that don't fit.
    """
    name, _, digits = text.strip().lower().rpartition(":")
    name = re.sub("[^a-z0-9]", "", name or algorithm.lower()) or _BY_LENGTH.get(len(digits), "")
    fits = _LENGTHS.get(name, len(digits)) == len(digits)
    return {name: digits} if name and fits and _HEX.fullmatch(digits) else {}
