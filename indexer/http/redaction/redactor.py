"""Replaces secrets in bytes: the values of named headers and fields, and known values."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from mmap import mmap
from typing import NamedTuple, TypeAlias

from indexer.errors import ConfigurationError
from indexer.http.redaction.patterns import fields, header_lines, json_values, values

REDACTED = b"REDACTED"

SHORTEST_VALUE = 6
"""Characters of a value, at least: a shorter one would be found in ordinary text."""

Buffer: TypeAlias = bytes | mmap

_OPENING, _CLOSING = (b"[", b"{"), (b"]", b"}")
_JSON_TOKEN = re.compile(rb"\"(?:[^\"\\]|\\.)*+\"?|[\[{]|[\]}]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Secrets:
    """The secrets that no record may hold.

    `headers` and `fields` are names, in any case; fields are parameters of URLs and fields of forms
    and of JSON. `values` are the credentials that the caller knows. Raises ConfigurationError for a
    value that is too short to search for.
    """

    headers: Sequence[str] = ("Authorization", "Proxy-Authorization", "Cookie", "X-Api-Key")
    fields: Sequence[str] = ("access_token", "api_key")
    values: Sequence[str] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        if any(len(value) < SHORTEST_VALUE for value in self.values):
            raise ConfigurationError(
                f"a secret of fewer than {SHORTEST_VALUE} characters can't be removed from records"
            )


class SecretSpan(NamedTuple):
    """Bytes to replace, from `start` to before `end`."""

    start: int
    end: int
    by: bytes


class Redactor:
    """Finds secrets, in time that is linear in the number of bytes."""

    def __init__(self, secrets: Secrets) -> None:
        self._headers = header_lines(secrets.headers) if secrets.headers else None
        self._json = json_values(secrets.fields) if secrets.fields else None
        self._anywhere = [
            *(fields(secrets.fields) if secrets.fields else ()),
            *(pattern for value in secrets.values for pattern in values(value)),
        ]

    def in_head(self, head: bytes) -> list[SecretSpan]:
        """The secrets in the head of a message, or in a URL."""
        found = [] if self._headers is None else list(_spans(self._headers.finditer(head)))
        return merged([*found, *self.in_body(head)])

    def in_body(self, body: Buffer, start: int = 0) -> list[SecretSpan]:
        """The secrets in a body without codings, which begins at `start`."""
        # One by one: a pattern of all alternatives has no first character to look for.
        found = [span for each in self._anywhere for span in _spans(each.finditer(body, start))]
        if self._json is not None:
            found += _whole_values(body, self._json.finditer(body, start))
        return merged(found)

    def text(self, text: str) -> str:
        """A URL without its secrets."""
        data = text.encode("utf-8", "surrogatepass")
        return b"".join(replaced(memoryview(data), self.in_head(data))).decode(
            "utf-8", "surrogatepass"
        )


def replaced(
    data: memoryview, spans: Iterable[SecretSpan], start: int = 0
) -> Iterator[bytes | memoryview]:
    """The bytes from `start` on, with the spans replaced, in pieces that copy nothing."""
    for span in spans:
        yield data[start : span.start]
        yield span.by
        start = span.end
    yield data[start:]


def merged(spans: Iterable[SecretSpan]) -> list[SecretSpan]:
    """The spans in their order, with overlapping ones as one."""
    kept: list[SecretSpan] = []
    for span in sorted(spans):
        if kept and span.start < kept[-1].end:
            kept[-1] = kept[-1]._replace(end=max(span.end, kept[-1].end))
        else:
            kept.append(span)
    return kept


def _spans(matches: Iterable[re.Match[bytes]]) -> Iterator[SecretSpan]:
    for match in matches:
        start, end = match.span(1)
        if start < end and match[1] != REDACTED:
            yield SecretSpan(start, end, REDACTED)


def _whole_values(data: Buffer, matches: Iterable[re.Match[bytes]]) -> Iterator[SecretSpan]:
    """Numbers, and arrays and objects up to their last bracket. A string replaces each."""
    end = 0
    for match in matches:
        start = match.start(1)
        # A field within a value that is replaced as a whole needs no search of its own.
        if start >= end:
            end = _last_bracket(data, start) if match[1] in _OPENING else match.end(1)
            yield SecretSpan(start, end, b'"%b"' % REDACTED)


def _last_bracket(data: Buffer, start: int) -> int:
    depth = 0
    for token in _JSON_TOKEN.finditer(data, start):
        depth += (token[0] in _OPENING) - (token[0] in _CLOSING)
        if depth == 0:
            return token.end()
    return len(data)
