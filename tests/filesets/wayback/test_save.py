"""Save Page Now: its odd answers, and a status for each."""

from typing import Any
from urllib.parse import parse_qs

import pytest
from pydantic import SecretStr

from indexer.errors import FetchError, FilesetError
from indexer.filesets.wayback.options import ArchiveKeys, WaybackOptions
from indexer.filesets.wayback.save import MOST_POLLS, SavePageNow, status_of
from tests.each_row import each_row
from tests.filesets.wayback.scripted import ScriptedClient

URL = "http://a.example/data"
USER = {"available": 12, "processing": 0, "daily_captures": 1, "daily_captures_limit": 30000}
JOB = {"url": URL, "job_id": "spn2-1"}
PENDING = {"status": "pending", "job_id": "spn2-1", "resources": []}
DONE = {
    "status": "success",
    "job_id": "spn2-1",
    "original_url": f"{URL}/",
    "timestamp": "20240315093000",
    "duration_sec": 6.2,
    "resources": [URL],
    "outlinks": {},
    "counters": {"embeds": 0},
    "http_status": 200,
}


def save(
    client: ScriptedClient, url: str = URL, key: str = "key", secret: str = "secret"
) -> tuple[str, str]:
    keys = ArchiveKeys(SecretStr(key), SecretStr(secret))
    return SavePageNow(client, WaybackOptions(), keys, sleep=client.slept.append).save(url)


def test_a_url_is_captured() -> None:
    client = ScriptedClient(USER, JOB, PENDING, PENDING, DONE)
    assert save(client) == (f"{URL}/", "20240315093000")
    base = "https://web.archive.org/save"
    status = f"{base}/status/spn2-1"
    assert [each.url for each in client.requests] == [f"{base}/status/user", base, *[status] * 3]
    post = client.requests[1]
    assert (post.method, post.accept) == ("POST", "application/json")
    assert isinstance(post.body, bytes)
    assert parse_qs(post.body.decode()) == {
        "url": [URL],
        "capture_all": ["1"],
        "if_not_archived_within": ["14d"],
        "skip_first_archive": ["1"],
        "js_behavior_timeout": ["0"],
        "force_get": ["1"],
    }
    (credentials,) = post.auth
    assert credentials.sign("POST", base) == {"Authorization": "LOW key:secret"}
    assert client.slept == [3.0, 3.0]


def test_the_job_of_an_earlier_request_is_followed_once() -> None:
    joined = {**DONE, "original_job_id": "spn2-0", "timestamp": ""}
    client = ScriptedClient(USER, JOB, joined, {**DONE, "original_job_id": "spn2-x"})
    assert save(client)[1] == DONE["timestamp"]
    assert client.requests[-1].url.endswith("/status/spn2-0")


def test_a_job_goes_on_when_a_question_fails() -> None:
    client = ScriptedClient(USER, JOB, 502, FetchError("lost"), b"", 429, DONE)
    assert save(client)[0] == f"{URL}/"


def test_whoever_waits_may_stop() -> None:
    client = ScriptedClient(USER, JOB, PENDING, DONE)
    calls = iter([None, KeyboardInterrupt()])

    def alive() -> None:
        if stop := next(calls):
            raise stop

    keys = ArchiveKeys(SecretStr("key"), SecretStr("secret"))
    with pytest.raises(KeyboardInterrupt):
        SavePageNow(client, WaybackOptions(), keys, sleep=client.slept.append).save(URL, alive)
    assert client.answers == [DONE]


def error(name: Any, **more: Any) -> dict[str, Any]:
    return {"status": "error", "status_ext": name, "exception": "why", **more}


@each_row(
    ("answers", "status"),
    [
        ([429], "spn2-backoff"),
        ([{"available": 1}], "spn2-backoff"),
        ([{"available": 0, "processing": 12}], "spn2-backoff"),
        ([{**USER, "daily_captures": 30000}], "spn2-backoff"),
        ([401], "error-authentication"),
        ([503], "spn2-error"),
        ([(500, {}, error("error:celery"))], "spn2-error"),
        ([b"<html>down</html>"], "spn2-error"),
        ([FetchError("lost")], "spn2-error"),
        ([USER, 502], "spn2-error"),
        ([USER, 429], "spn2-backoff"),
        ([USER, {"url": URL}], "spn2-error"),
        ([USER, {"url": URL, "job_id": None, "message": "Cannot start capture"}], "spn2-error"),
        ([USER, []], "spn2-error"),
        (
            [USER, {"message": "You have already reached the limit of active sessions."}],
            "spn2-backoff",
        ),
        (
            [USER, {**JOB, "message": "The same snapshot had been made 2 minutes ago."}],
            "spn2-recent-capture",
        ),
        ([USER, error("error:blocked-url")], "spn2-error:blocked-url"),
        ([USER, (400, {}, error("error:invalid-url-syntax"))], "invalid-url"),
        ([USER, error("error:user-session-limit")], "spn2-backoff"),
        ([USER, JOB, error("error:no-access")], "forbidden"),
        ([USER, JOB, error(None)], "spn2-error"),
        ([USER, JOB, {**DONE, "original_url": "/data"}], "spn2-success-partial-url"),
        ([USER, JOB, {**DONE, "original_url": None}], "spn2-success-partial-url"),
        ([USER, JOB, {**DONE, "timestamp": 2024}], "spn2-error"),
        ([USER, JOB, *[PENDING] * MOST_POLLS], "spn2-error"),
        ([USER, JOB, *[{"status": "new"}] * MOST_POLLS], "spn2-error"),
    ],
)
def test_a_failure_has_its_status(answers: list[Any], status: str) -> None:
    client = ScriptedClient(*answers)
    with pytest.raises(FilesetError) as raised:
        save(client)
    assert raised.value.status == status
    assert client.answers == []


TOO_LONG = FilesetError("platform-rate-limited", "no calls for 60 seconds", 60.0)


@each_row("refusal", [(429, {"retry-after": "60"}, b""), TOO_LONG])
def test_the_wait_that_the_service_names_is_told(refusal: Any) -> None:
    with pytest.raises(FilesetError) as raised:
        save(ScriptedClient(USER, refusal))
    assert (raised.value.status, raised.value.wait) == ("spn2-backoff", 60.0)


@each_row(
    ("url", "options", "status"),
    [
        ("ftp://a.example/x", {}, "spn2-no-ftp"),
        (URL, {"key": ""}, "error-authentication"),
        (URL, {"secret": ""}, "error-authentication"),
    ],
)
def test_nothing_is_asked(url: str, options: dict[str, str], status: str) -> None:
    with pytest.raises(FilesetError, match=status):
        save(ScriptedClient(), url, **options)


SAME = ("invalid-url", "not-found", "invalid-host-resolution", "gateway-timeout")
OWN = ("bad-gateway", "job-failed", "max-daily-bandwidth-host", "http-version-not-supported")


@each_row(
    ("error", "status"),
    [
        *((f"error:{name}", name) for name in (*SAME, "too-many-redirects", "read-timeout")),
        *((f"error:{name}", f"spn2-error:{name}") for name in OWN),
        ("error:forbidden", "forbidden"),
        ("error:internal-server-error", "remote-server-error"),
        ("error:of-the-future", "spn2-error:of-the-future"),
        ("celery", "spn2-error:celery"),
        ("", "spn2-error"),
        ("error:", "spn2-error"),
        ("error:<script>", "spn2-error"),
    ],
)
def test_the_status_of_an_error(error: str, status: str) -> None:
    assert status_of(error) == status
