"""The messages of the family: origins to index, raw metadata about them, and origins that changed.

{"archive": "/srv/git/project.git", "origin": "https://example.org/project"}
{"raw_extrinsic_metadata": {"target": "https://example.org/project", "format": …}}
{"origin": "https://example.org/project", "status": "indexed"}
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import msgspec

from indexer.errors import DecodeError
from indexer.http.urls.parts import without_credentials
from indexer.messages.message import DEFAULT_KEY, UNKNOWN, Origin
from indexer.text.cleaning import one_line

METADATA = "raw_extrinsic_metadata"
"""The key, and the journal's topic, of raw extrinsic metadata."""

_LABEL = 300


@dataclass(frozen=True, slots=True)
class OriginMessage:
    """An origin on its way to the indexer, and the place of the archive that has its objects.

    With `metadata`, it is raw extrinsic metadata about an origin, as the journal has it.
    """

    archive: str
    url: str
    metadata: Mapping[str, Any] | None = None
    key: str = DEFAULT_KEY
    origin: ClassVar[Origin] = UNKNOWN

    @property
    def label(self) -> str:
        """The URL of the origin."""
        return _label(self.url or str((self.metadata or {}).get("target", "")))

    def dump(self) -> bytes:
        """The JSON of the message."""
        if self.metadata is not None:
            return msgspec.json.encode({METADATA: self.metadata})
        return msgspec.json.encode({"archive": self.archive, "origin": self.url})

    @classmethod
    def load(cls, data: bytes, key: str = DEFAULT_KEY) -> Self:
        """The message of some bytes. Raises DecodeError."""
        found = _object(data)
        metadata = found.get(METADATA)
        if isinstance(metadata, dict):
            return cls("", "", metadata, key)
        return cls(_text(found, "archive"), _text(found, "origin"), None, key)


@dataclass(frozen=True, slots=True)
class ChangedOrigin:
    """An origin whose rows have changed, on its way to the search index; `status` says how."""

    url: str
    status: str
    key: str = DEFAULT_KEY
    origin: ClassVar[Origin] = UNKNOWN

    @property
    def label(self) -> str:
        """The URL of the origin."""
        return _label(self.url)

    def dump(self) -> bytes:
        """The JSON of the message."""
        return msgspec.json.encode({"origin": self.url, "status": self.status})

    @classmethod
    def load(cls, data: bytes, key: str = DEFAULT_KEY) -> Self:
        """The message of some bytes. Raises DecodeError."""
        found = _object(data)
        return cls(_text(found, "origin"), _text(found, "status"), key)


def _object(data: bytes) -> dict[str, Any]:
    try:
        found = msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError) as error:
        raise DecodeError(f"not JSON: {error}") from error
    if not isinstance(found, dict):
        raise DecodeError("not an object")
    return found


def _text(found: Mapping[str, Any], name: str) -> str:
    text = found.get(name)
    if not isinstance(text, str) or not text:
        raise DecodeError(f"no {name}")
    return text


def _label(text: str) -> str:
    return without_credentials(one_line(text, _LABEL))
