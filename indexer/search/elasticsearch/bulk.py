"""Bulk requests to Elasticsearch, with a result for each of their lines.

Lines that a busy server rejects are sent again, without the others, after pauses that double;
requests are bounded in lines and bytes, and halved if the server's limit is lower.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import msgspec
from elasticsearch import ApiError, Elasticsearch

from indexer.search.elasticsearch.errors import BUSY, reason
from indexer.system.patience import Patience

MAX_LINES = 1000
MAX_BYTES = 10_000_000

TOO_LARGE = 413

Fields: TypeAlias = Mapping[str, object]

Line: TypeAlias = bytes
"""One action of a bulk request, with its document if it has one, as lines of JSON."""

_json = msgspec.json.Encoder().encode


def create_line(id: str, fields: Fields) -> Line:
    """Create a document unless its id exists."""
    return _line("create", {"_id": id}, fields)


def copy_line(index: str, id: str, routing: str | None, fields: Fields) -> Line:
    """Create a document in an index, with the routing of the original, unless its id exists."""
    # Only a document that was routed by a key of its own has a routing.
    routed = {"routing": routing} if routing else {}
    return _line("create", _concrete(index, id) | routed, fields)


def replace_line(index: str, id: str, fields: Fields) -> Line:
    """Replace a document in the index that contains it, which may not be the write index."""
    return _line("index", _concrete(index, id), fields)


def amend_line(index: str, id: str, fields: Fields) -> Line:
    """Change some fields of a document in that index; a missing document is not created."""
    return _line("update", _concrete(index, id) | {"retry_on_conflict": 3}, {"doc": fields})


def delete_line(index: str, id: str) -> Line:
    """Delete a document from an index."""
    return _json({"delete": {"_index": index, "_id": id}})


def _concrete(index: str, id: str) -> dict[str, object]:
    # The request as a whole requires an alias, so that a missing one is never created as an index.
    return {"_index": index, "_id": id, "require_alias": False}


def _line(action: str, place: Mapping[str, object], body: Fields) -> Line:
    return _json({action: place}) + b"\n" + _json(body)


@dataclass(frozen=True, slots=True)
class BulkResult:
    """The result of a line: an HTTP status, the index written to, and the reason of a failure."""

    status: int
    index: str = ""
    why: str = ""

    @property
    def done(self) -> bool:
        """Whether the action succeeded."""
        return self.status < 300

    @property
    def missing(self) -> bool:
        """Whether the document did not exist."""
        return self.status == 404


_NOT_SENT = BulkResult(429, why="the server is busy")


class Bulk:
    """Sends lines to one alias."""

    def __init__(self, client: Elasticsearch, alias: str, patience: Patience) -> None:
        # The client's own retries would send the whole request again, at once.
        self._client = client.options(max_retries=0)
        self._alias = alias
        self._patience = patience

    def send(self, lines: Sequence[Line]) -> list[BulkResult]:
        """Return one result for each line, in order.

        Raises ApiError, TransportError: any of the lines may have been executed then.
        """
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
        """Send each of the lines once, but stop when the server rejects a whole request."""
        for request in requests(lines, places):
            found = self._request([lines[place] for place in request])
            for place, result in zip(request, found, strict=True):
                results[place] = result
            if all(result.status in BUSY for result in found):
                return

    def _request(self, lines: Sequence[Line]) -> list[BulkResult]:
        try:
            answer = self._client.bulk(
                operations=lines,  # type: ignore[arg-type]  # it also takes bytes
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
    """Split the places of lines into lists that each fit into one request."""
    request: list[int] = []
    size = 0
    for place in places:
        length = len(lines[place]) + 1
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
