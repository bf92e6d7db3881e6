"""The API: parameters and answers."""

import asyncio
import json
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from starlette.requests import ClientDisconnect
from starlette.types import Send

from indexer.errors import StorageError
from indexer.pipeview.api import application
from indexer.pipeview.store import KEYS, CrumbStore
from tests.each_row import each_row
from tests.logged import capture_logs
from tests.pipeview.counted import TODAY, a_crumb, put

DAYS = 90
FLOW = ("rss-queuer", "fetcher", "importer")

Get = Callable[..., httpx.Response]


def client(store: CrumbStore, token: str = "") -> Get:
    """Return a function that sends requests to the API of a store."""
    transport = httpx.ASGITransport(application(store, DAYS, lambda: TODAY, token, FLOW))

    async def get(url: str, **given: Any) -> httpx.Response:
        async with httpx.AsyncClient(transport=transport, base_url="http://pipeview") as session:
            return await session.get(url, **given)

    return lambda url, **given: asyncio.run(get(url, **given))


@pytest.fixture
def get(empty: CrumbStore) -> Get:
    """Sends requests about a few crumbs."""
    put(
        empty,
        *[a_crumb()] * 3,
        a_crumb("retry-noconn"),
        a_crumb("http-404", feed=8, source=None),
        a_crumb("dups", app="importer", day="2026-01-14"),
        a_crumb(domain=None, feed=None, app="rss-queuer", status="queuing"),
        a_crumb("created", app="importer", day="2020-01-01"),
    )
    return client(empty)


def test_rows_have_the_chosen_columns_and_both_names_of_the_sums(get: Get) -> None:
    answer = get("/sum/?col=app&col=feed_id&app=fetcher")
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == [
        {"app": "fetcher", "feed_id": 7, "stories": 4, "rows": 2, "sum_1": 4, "count_1": 2},
        {"app": "fetcher", "feed_id": 8, "stories": 1, "rows": 1, "sum_1": 1, "count_1": 1},
    ]


def test_each_column_can_be_chosen(get: Get) -> None:
    for column in KEYS:
        assert {column} == get(f"/sum/?col={column}").json()[0].keys() - {
            "stories",
            "rows",
            "sum_1",
            "count_1",
        }
    asked = "&".join(f"col={column}" for column in (*KEYS, *KEYS))
    assert len(get(f"/sum/?{asked}").json()) == 5


@each_row(
    ("asked", "stories"),
    [
        ("", 7),
        ("start_date=2000-01-01", 8),
        ("end_date=2026-01-14", 1),
        ("start_date=2026-01-14&end_date=2026-01-14", 1),
        ("source_id=1", 6),
        ("source_id=", 1),
        ("feed_id=8", 1),
        ("feed_id=", 1),
        ("domain=site.example", 6),
        ("domain=", 1),
        ("app=importer", 1),
        ("status=success", 3),
        ("app=fetcher&status=success&feed_id=8", 0),
        ("domain=nowhere.example", 0),
    ],
)
def test_selected_stories_are_counted(get: Get, asked: str, stories: int) -> None:
    (total,) = get(f"/sum/?{asked}").json()
    assert total["stories"] == stories


@each_row(
    ("asked", "parameter"),
    [
        ("col=nope", "col"),
        ("col=", "col"),
        ("source_id=abc", "source_id"),
        ("source_id=1.5", "source_id"),
        ("feed_id=9223372036854775808", "feed_id"),
        ("feed_id=1&feed_id=x", "feed_id"),
        ("app=%00", "app"),
        ("domain=" + "x" * 301, "domain"),
        ("start_date=1768478400", "start_date"),
        ("start_date=", "start_date"),
        ("start_date=2026-02-31", "start_date"),
        ("end_date=2026-01-15T00:00:00", "end_date"),
        ("limit=0", "limit"),
        ("limit=100000000", "limit"),
        ("offset=-1", "offset"),
        ("offset=99999999999999999999", "offset"),
        ("format=xml", "format"),
        ("sourceid=1", "sourceid"),
        ("start_date=2026-02-01&end_date=2026-01-01", "query"),
    ],
)
def test_an_invalid_parameter_is_422_and_named(
    empty: CrumbStore, asked: str, parameter: str
) -> None:
    answer = client(empty)(f"/sum/?{asked}")
    assert answer.status_code == 422
    assert any(parameter in problem["loc"] for problem in answer.json()["detail"])


def test_pages_fit_together(get: Get) -> None:
    whole = get("/sum/?col=app&col=status").json()
    pages = [get(f"/sum/?col=app&col=status&limit=2&offset={at}").json() for at in (0, 2, 4)]
    assert [len(page) for page in pages] == [2, 2, 1]
    assert [row for page in pages for row in page] == whole


@pytest.mark.parametrize(
    ("query", "headers"),
    [
        ("&format=ndjson", {}),
        ("", {"Accept": "application/x-ndjson"}),
        ("&format=ndjson", {"Accept": "application/json"}),
    ],
)
def test_rows_are_lines_on_request(get: Get, query: str, headers: dict[str, str]) -> None:
    answer = get(f"/sum/?col=app{query}", headers=headers)
    assert answer.headers["content-type"] == "application/x-ndjson"
    rows = [json.loads(line) for line in answer.text.splitlines()]
    assert rows == get("/sum/?col=app&format=json", headers=headers).json()


def test_empty_answers_exist_in_both_formats(empty: CrumbStore) -> None:
    get = client(empty)
    assert get("/sum/?col=app").json() == []
    assert get("/sum/?col=app&format=ndjson").text == ""


def test_a_disconnected_client_leaves_nothing_open(
    empty: CrumbStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless() -> Iterator[dict[str, int]]:
        while True:
            yield {"stories": 1, "rows": 1}

    rows = endless()
    monkeypatch.setattr(empty, "sums", lambda *_: rows)
    with pytest.raises(ClientDisconnect):
        asyncio.run(gone(application(empty, DAYS, lambda: TODAY)))
    assert next(rows, None) is None


async def gone(app: FastAPI) -> None:
    """Send a request, and disconnect when the answer begins."""

    async def send(message: Any) -> None:
        if message["type"] == "http.response.body":
            raise OSError("gone")

    await ask(app, b"", send)


async def ask(app: FastAPI, query: bytes, send: Send) -> None:
    """Send a request for sums."""

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b""}

    asked = {"method": "GET", "path": "/sum/", "query_string": query, "headers": []}
    await app({"type": "http", "asgi": {"spec_version": "2.4"}, **asked}, receive, send)


def test_the_funnel_has_the_results_of_each_step(get: Get) -> None:
    assert get("/funnel/?source_id=1").json() == [
        {
            "app": "rss-queuer",
            "stories": 1,
            "statuses": {"queuing": 1},
            "retries": {},
            "requeues": {},
        },
        {
            "app": "fetcher",
            "stories": 3,
            "statuses": {"success": 3},
            "retries": {"noconn": 1},
            "requeues": {},
        },
        {
            "app": "importer",
            "stories": 1,
            "statuses": {"dups": 1},
            "retries": {},
            "requeues": {},
        },
    ]
    assert get("/funnel/?app=fetcher").status_code == 422


@pytest.mark.parametrize("path", ["/sum/", "/funnel/"])
def test_requests_without_the_token_are_refused(empty: CrumbStore, path: str) -> None:
    get = client(empty, "hunter2")
    assert get(path).status_code == 401
    assert "Bearer" in get(path).headers["www-authenticate"]
    for given in (b"Bearer hunter3", b"Bearer \xe9", b"Bearer ", b"Basic %%%", b"Digest hunter2"):
        assert get(path, headers={"Authorization": given}).status_code == 401
    assert get(path, auth=("any", "hunter3")).status_code == 401
    assert get(path, auth=("any", "hunter2")).status_code == 200
    assert get(path, headers={"Authorization": "Bearer hunter2"}).status_code == 200


def test_the_health_check_needs_no_token(empty: CrumbStore) -> None:
    get = client(empty, "hunter2")
    assert get("/healthz").json() == {"status": "ok"}
    assert "hunter2" not in get("/openapi.json").text


@pytest.mark.parametrize("path", ["/sum/?col=app", "/funnel/", "/healthz", "/readyz"])
def test_a_database_failure_is_503_with_the_reason_in_the_log(
    empty: CrumbStore, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    def away(*_: object, **__: object) -> None:
        raise StorageError("postgresql://db.internal: gone")

    monkeypatch.setattr(empty.database, "reading", away)
    with capture_logs() as logs:
        answer = client(empty)(path)
    assert (answer.status_code, answer.json()["detail"]) == (503, "the database does not answer")
    assert logs[0]["why"] == "postgresql://db.internal: gone"


def test_the_openapi_document_has_each_parameter_and_answer(empty: CrumbStore) -> None:
    document = client(empty, "hunter2")("/openapi.json").json()
    sums = document["paths"]["/sum/"]["get"]
    parameters = {each["name"]: each for each in sums["parameters"]}
    paging = {"limit", "offset", "format"}
    others = {"source_id", "feed_id", "domain", "app", "status", "start_date", "end_date"}
    assert parameters.keys() == {"col", *others, *paging}
    assert all(each["in"] == "query" and each["description"] for each in parameters.values())
    assert all(parameters[name]["schema"]["examples"] for name in ("col", *others))
    assert parameters["col"]["schema"]["items"]["enum"] == [*KEYS]
    assert sums["responses"].keys() == {"200", "401", "422", "503"}
    assert sums["responses"]["200"]["content"].keys() == {
        "application/json",
        "application/x-ndjson",
    }
    assert sums["security"] == [{"HTTPBearer": []}, {"HTTPBasic": []}]
    row = document["components"]["schemas"]["Sum"]
    assert row["properties"].keys() == {*KEYS, "stories", "rows", "sum_1", "count_1"}
    assert document["paths"].keys() == {"/sum/", "/funnel/", "/healthz", "/readyz"}
