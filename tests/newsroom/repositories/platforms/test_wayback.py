"""newsroom/repositories/platforms/wayback.py: captures, look-ups, replay."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode

from newsroom.repositories.platforms.archiveorg import ACCESS_KEY, SECRET_KEY
from newsroom.repositories.platforms.wayback import CDX_TOKEN, COLUMNS, PUBLIC_COLUMNS, surt
from newsroom.repositories.server import Repositories
from tests.each_row import each_row
from tests.newsroom.repositories.asking import ask, follow

WEB = "http://web.archive.example"
TOKEN = {"Cookie": f"cdx_auth_token={CDX_TOKEN}"}
KEYS = {"Authorization": f"LOW {ACCESS_KEY}:{SECRET_KEY}"}
FILE = "http://zenodo.example/api/records/10200011/files/only.csv/content"


def save(repositories: Repositories, url: str, **form: str) -> dict[str, Any]:
    """The final status of a job."""
    body = urlencode({"url": url, **form}).encode()
    reply: dict[str, Any] = ask(repositories, f"{WEB}/save", "POST", body, KEYS).json
    if "job_id" not in reply:
        return reply
    status = f"{WEB}/save/status/{reply['job_id']}"
    assert ask(repositories, status).json["status"] == "pending"
    final: dict[str, Any] = ask(repositories, status).json
    return {**final, "message": reply.get("message", "")}


def rows(
    repositories: Repositories, url: str, limit: int = -40, headers: Mapping[str, str] = TOKEN
) -> list[list[str]]:
    """The captures of a URL."""
    query = f"url={quote(url, safe='')}&output=json&limit={limit}"
    place = f"{WEB}/cdx/search/cdx?{query}"
    found: list[list[str]] = ask(repositories, place, headers=headers).json
    return found


def test_the_index_is_limited_and_short_without_a_token(own: Repositories) -> None:
    for url in (FILE, FILE.replace("http:", "https:")):
        save(own, url)
    assert [rows(own, FILE, limit)[1][2][:5] for limit in (1, -1)] == ["http:", "https"]
    assert rows(own, FILE, headers={})[0] == list(PUBLIC_COLUMNS)


def test_a_saved_url_is_found_and_replayed(own: Repositories) -> None:
    assert rows(own, FILE) == []
    final = save(own, FILE)
    assert (final["status"], final["http_status"]) == ("success", 200)
    header, row = rows(own, FILE)
    assert header == list(COLUMNS)
    found = dict(zip(header, row, strict=True))
    assert (found["statuscode"], found["mimetype"], found["original"]) == ("200", "text/csv", FILE)
    assert "/" in found["filename"]
    got = ask(own, f"{WEB}/web/{found['timestamp']}id_/{FILE}")
    assert got.body == ask(own, FILE).body
    url, _ = follow(own, f"{WEB}/web/2024id_/{FILE}")
    assert url == f"{WEB}/web/{found['timestamp']}id_/{FILE}"


def test_all_hops_of_a_redirect_are_captured(own: Repositories) -> None:
    start = "http://doi.example/10.5072/zenodo.10200001"
    assert save(own, start)["original_url"] == "http://zenodo.example/records/10200001"
    assert rows(own, start)[1][4] == "302"
    timestamp = rows(own, start)[1][1]
    got = ask(own, f"{WEB}/web/{timestamp}id_/{start}")
    assert got.location == f"{WEB}/web/{timestamp}id_/http://zenodo.example/records/10200001"


def test_a_second_capture_of_the_same_bytes_is_a_revisit(own: Repositories) -> None:
    save(own, FILE)
    again = save(own, FILE, if_not_archived_within="14d")
    assert "same snapshot had been made" in again["message"]
    save(own, FILE)
    assert [row[3] for row in rows(own, FILE)[1:]] == ["text/csv", "warc/revisit"]


FAILURES = [
    ("http://nowhere.example/", {}, "error:invalid-host-resolution"),
    ("no url", {}, "error:invalid-url-syntax"),
    ("http://zenodo.example/api/records/1", {}, "error:not-found"),
    ("http://zenodo.example/api/records/1", {"capture_all": "1"}, ""),
    (
        FILE.replace("10200011/files/only.csv", "10200081/files/film.bin"),
        {},
        "error:filesize-limit",
    ),
]


@each_row(("url", "form", "error"), FAILURES)
def test_a_capture_fails(shared: Repositories, url: str, form: dict[str, str], error: str) -> None:
    assert save(shared, url, **form).get("status_ext", "") == error


def test_errors_of_the_service_can_be_switched_on(own: Repositories) -> None:
    own.faults.switch_on(
        "spn:times=1:value=user-session-limit@POST web.*",
        "spn-busy@*/save/status/user",
        "spn:value=celery@*/save/status/spn2*",
    )
    assert "limit of active" in save(own, FILE)["message"]
    assert ask(own, f"{WEB}/save/status/user", headers=KEYS).json["available"] == 0
    job = ask(own, f"{WEB}/save", "POST", b"url=http://zenodo.example/", KEYS).json["job_id"]
    assert ask(own, f"{WEB}/save/status/{job}").json["status_ext"] == "error:celery"
    assert ask(own, f"{WEB}/save", "POST", b"url=x").status == 401


def test_a_job_is_joined_with_another_one_or_has_a_partial_url(own: Repositories) -> None:
    own.faults.switch_on("spn-followed:skip=1:times=1@*/status/spn2*")
    job = save(own, FILE)["original_job_id"]
    own.faults.switch_on("spn-partial:times=1@*/status/spn2*")
    status = f"{WEB}/save/status/{job}"
    assert ask(own, status).json["original_url"].startswith("/api/")
    assert ask(own, status).json["original_url"] == FILE


def test_the_index_lags_behind_and_the_captures_of_a_day_are_made(own: Repositories) -> None:
    own.faults.switch_on("no-rows:times=1@*/cdx/*", "spn-quota@*/status/user")
    save(own, FILE)
    assert [len(rows(own, FILE)) for _ in range(2)] == [0, 2]
    found = ask(own, f"{WEB}/save/status/user", headers=KEYS).json
    assert found["daily_captures"] == found["daily_captures_limit"]


def test_the_key_of_a_url() -> None:
    assert surt("http://www.A.example:80/B?c=D") == "example,a)/b?c=d"
