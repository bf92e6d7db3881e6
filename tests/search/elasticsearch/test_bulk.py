"""Bulk requests: a result for each line, and retries with a busy server."""

import pytest
from elastic_transport import ConnectionError as NotConnected
from elasticsearch import ApiError

from indexer.search.elasticsearch import bulk as elasticsearch_bulk
from indexer.search.elasticsearch.bulk import Bulk, Line, create_line, requests
from indexer.system.patience import ATTEMPTS
from tests.each_row import each_row
from tests.search.stub import Stub, busy, items


def lines(*ids: str) -> list[Line]:
    """Return lines that create documents."""
    return [create_line(id, {"url": f"https://site.example/{id}"}) for id in ids]


def send(stub: Stub, *ids: str) -> list[int]:
    """Send documents to a stub; return their statuses."""
    bulk = Bulk(stub.client(), "mc_search", stub.patience())
    return [result.status for result in bulk.send(lines(*ids))]


def sent(stub: Stub) -> list[str]:
    """Return the ids in each request."""
    found = []
    for _, body in stub.requests:
        actions = [line for line in body.decode().splitlines() if '"create"' in line]
        found.append(" ".join(line.split('"')[5] for line in actions))
    return found


def test_each_line_has_its_result() -> None:
    stub = Stub(items(201, 409, 400))
    assert send(stub, "a", "b", "c") == [201, 409, 400]
    assert sent(stub) == ["a b c"]


def test_nothing_is_not_sent() -> None:
    assert send(Stub()) == []


def test_only_rejected_lines_are_sent_again() -> None:
    stub = Stub(items(201, 429, 400, 429), items(429, 201), items(201))
    assert send(stub, "a", "b", "c", "d") == [201, 201, 400, 201]
    assert sent(stub) == ["a b c d", "b d", "b"]
    assert stub.pauses == [0.25, 0.5]


@each_row("status", [429, 502, 503, 504])
def test_a_request_that_was_rejected_whole_is_sent_again(status: int) -> None:
    stub = Stub(busy(status), items(201, 201))
    assert send(stub, "a", "b") == [201, 201]
    assert sent(stub) == ["a b", "a b"]


def test_a_server_that_stays_busy_is_given_up_after_about_a_minute() -> None:
    stub = Stub(*[busy()] * ATTEMPTS)
    assert send(stub, "a") == [429]
    assert stub.pauses == [0.25, 0.5, 1, 2, 4, 8, 16, 30]
    assert not stub.replies


def test_a_busy_server_is_not_sent_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elasticsearch_bulk, "MAX_LINES", 1)
    stub = Stub(items(201), busy(), items(201), items(201))
    assert send(stub, "a", "b", "c") == [201, 201, 201]
    assert sent(stub) == ["a", "b", "b", "c"]


def test_a_request_that_is_too_large_for_the_server_is_halved() -> None:
    stub = Stub(busy(413), items(201), busy(413), items(201), busy(413))
    assert send(stub, "a", "b", "c") == [201, 201, 413]
    assert sent(stub) == ["a b c", "a", "b c", "b", "c"]


def test_a_lost_connection_is_not_tried_again_because_nothing_is_known() -> None:
    stub = Stub(NotConnected("gone"), items(201))
    with pytest.raises(NotConnected):
        send(stub, "a")
    assert len(stub.requests) == 1


def test_an_error_of_the_request_is_raised() -> None:
    with pytest.raises(ApiError):
        send(Stub((403, {"error": "no"})), "a")


def test_requests_are_bounded_in_lines_and_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elasticsearch_bulk, "MAX_LINES", 3)
    monkeypatch.setattr(elasticsearch_bulk, "MAX_BYTES", 100)
    small, large = b"x" * 9, b"x" * 200
    assert list(requests([small] * 4, range(4))) == [[0, 1, 2], [3]]
    assert list(requests([small, large, small], range(3))) == [[0], [1], [2]]
    assert list(requests([b"x" * 49] * 3, range(3))) == [[0, 1], [2]]
