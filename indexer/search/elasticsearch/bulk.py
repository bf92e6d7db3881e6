"""Bulk requests to Elasticsearch, with an answer for each of their lines.

What the server was too busy for is sent again, by itself, after a pause that doubles; requests are
bounded in lines and bytes, and halved when the server takes fewer bytes.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import msgspec
from elasticsearch import ApiError, Elasticsearch

from indexer.search.elasticsearch.errors import reason
from indexer.search.elasticsearch.patience import BUSY
from indexer.system.patience import Patience

MAX_LINES = 1000
MAX_BYTES = 10_000_000

TOO_LARGE = 413


Fields: TypeAlias = Mapping[str, object]


class Line(NamedTuple):
    """One action of a bulk request, as JSON: with its document, if it has one."""

    data: bytes

    @classmethod
    def create(cls, id: str, fields: Fields) -> "Line":
        """Create a document, unless the id is there."""
        return cls._of("create", {"_id": id}, fields)

    @classmethod
    def copy(cls, index: str, id: str, routing: str | None, fields: Fields) -> "Line":
        """Create a document in an index, with what chose its shard, unless the id is there."""
        place = {"_index": index, "_id": id, "require_alias": False}
        return cls._of("create", place | ({"routing": routing} if routing else {}), fields)

    @classmethod
    def replace(cls, index: str, id: str, fields: Fields) -> "Line":
        """Put a document in the place of one in that index."""
        # It is the index that was found to have it, which need not be the alias's write index.
        return cls._of("index", {"_index": index, "_id": id, "require_alias": False}, fields)

    @classmethod
    def amend(cls, index: str, id: str, fields: Fields) -> "Line":
        """Change some fields of a document that is in that index, and none if it isn't."""
        place = {"_index": index, "_id": id, "require_alias": False, "retry_on_conflict": 3}
        return cls._of("update", place, {"doc": fields})

    @classmethod
    def delete(cls, index: str, id: str) -> "Line":
        """Delete a document."""
        return cls._of("delete", {"_index": index, "_id": id})

    @classmethod
    def _of(cls, action: str, place: Mapping[str, object], body: Fields | None = None) -> "Line":
        first = _json({action: place})
        return cls(first if body is None else b"\n".join((first, _json(body))))


@dataclass(frozen=True, slots=True)
class BulkResult:
    """What became of a line: an HTTP status, the index it went to, and what went wrong."""

    status: int
    index: str = ""
    why: str = ""

    @property
    def done(self) -> bool:
        """Whether it did what it said."""
        return self.status < 300

    @property
    def missing(self) -> bool:
        """Whether there was no such document."""
        return self.status == 404


_json = msgspec.json.Encoder().encode

_NOT_SENT = BulkResult(429, why="the server is busy")


class Bulk:
    """Sends lines to one alias."""

    def __init__(self, client: Elasticsearch, alias: str, patience: Patience) -> None:
        # Sent again by us alone: the client would send all of it, and at once.
        self._client = client.options(max_retries=0)
        self._alias = alias
        self._patience = patience

    def send(self, lines: Sequence[Line]) -> list[BulkResult]:
        """One result a line, in order. Raises ApiError, TransportError: nothing is known then."""
        results = [_NOT_SENT] * len(lines)
        waiting = list(range(len(lines)))
        for _ in self._patience.attempts():
            self._send_once(lines, waiting, results)
            waiting = [place for place, result in enumerate(results) if result.status in BUSY]
            if not waiting:
                break
        return results

    def _send_once(
        self, lines: Sequence[Line], places: list[int], results: list[BulkResult]
    ) -> None:
        """Send each of the lines once, or until the server refuses a whole request."""
        for request in requests(lines, places):
            found = self._request([lines[place] for place in request])
            for place, result in zip(request, found, strict=True):
                results[place] = result
            if all(result.status in BUSY for result in found):
                return

    def _request(self, lines: Sequence[Line]) -> list[BulkResult]:
        try:
            answer = self._client.bulk(
                operations=[line.data for line in lines],  # type: ignore[misc]  # also takes bytes
                index=self._alias,
                require_alias=True,
            )
        except ApiError as error:
            if error.status_code == TOO_LARGE and len(lines) > 1:
                half = len(lines) // 2
                return self._request(lines[:half]) + self._request(lines[half:])
            if error.status_code in (*BUSY, TOO_LARGE):
                return [BulkResult(error.status_code, why=reason(error.body))] * len(lines)
            raise
        return [_result(item) for item in answer["items"]]


def requests(lines: Sequence[Line], places: Sequence[int]) -> Iterator[list[int]]:
    """The places of lines, in lists that are each small enough for one request."""
    request: list[int] = []
    size = 0
    for place in places:
        length = len(lines[place].data) + 1
        if request and (len(request) == MAX_LINES or size + length > MAX_BYTES):
            yield request
            request, size = [], 0
        request.append(place)
        size += length
    if request:
        yield request


def _result(item: dict[str, Any]) -> BulkResult:
    (answer,) = item.values()
    return BulkResult(answer["status"], answer.get("_index", ""), reason(answer))
