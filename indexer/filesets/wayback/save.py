"""Save Page Now: captures a URL, and tells where the capture is (spec 3.3).

sessions left? → POST → a job → asked for its status until it has ended → SavedPage
                                                                        → a status of the fileset
"""

import re
import time
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias
from urllib.parse import urlencode

from indexer.errors import FetchError, FilesetError
from indexer.filesets.statuses import SPN_ERROR
from indexer.filesets.wayback.options import ArchiveKeys, WaybackOptions
from indexer.http.fetching.client import Client
from indexer.http.fetching.credentials import Credentials, header
from indexer.http.fetching.exchange import Request, Response
from indexer.http.fetching.recording import Record
from indexer.http.json_service import explanation, json_of
from indexer.http.politeness import retry_after
from indexer.http.urls.parts import split
from indexer.text.cleaning import one_line

FAILED: Final = "spn2-error"
BACK_OFF: Final = "spn2-backoff"
MOST_POLLS: Final = 60

STATUS_OF_ERROR: Final = {
    "invalid-url": "invalid-url",
    "invalid-url-syntax": "invalid-url",
    "not-found": "not-found",
    "invalid-host-resolution": "invalid-host-resolution",
    "gateway-timeout": "gateway-timeout",
    "too-many-redirects": "too-many-redirects",
    "read-timeout": "read-timeout",
    "no-access": "forbidden",
    "forbidden": "forbidden",
    "internal-server-error": "remote-server-error",
    "user-session-limit": BACK_OFF,
}
"""The statuses of known errors; of all others the name follows `spn2-error:`."""

_FORM = {
    "capture_all": "1",
    "if_not_archived_within": "14d",
    "skip_first_archive": "1",
    "js_behavior_timeout": "0",
    "force_get": "1",
}
_NAME = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")
_TIMESTAMP = re.compile(r"\d{14}")
_LEAST_SESSIONS = 2
_SECONDS = 60.0
_MAX_BYTES = 20_000_000
_MAX_TEXT = 300


Alive: TypeAlias = Callable[[], None]


def unwatched() -> None:
    """Let the job go on."""


class SavedPage(NamedTuple):
    """A new capture: the URL behind all redirects, and the time (14 digits)."""

    url: str
    timestamp: str


class SavePageNow:
    """A client of Save Page Now."""

    def __init__(
        self,
        client: Client,
        options: WaybackOptions,
        keys: ArchiveKeys,
        *,
        record: Record | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """`record` gets each exchange, as evidence. Raises ConfigurationError for a bad key."""
        self._client = client
        self._url = options.save
        self._pause = options.wayback_pause
        self._auth = _credentials(options, keys)
        self._record = record
        self._sleep = sleep

    def save(self, url: str, alive: Alive = unwatched) -> SavedPage:
        """Capture a URL. Raises FilesetError with the status of the failure.

        `alive` is called while the job goes on; it may raise to stop waiting.
        """
        if url.lower().startswith("ftp:"):
            raise FilesetError("spn2-no-ftp", url)
        if not self._auth:
            raise FilesetError(
                "error-authentication", "Save Page Now needs IA_ACCESS_KEY and IA_SECRET_KEY"
            )
        self._check_sessions()
        final = self._final(self._begin(url), alive)
        if original := _text(final, "original_job_id"):
            final = self._final(original, alive)
        return _saved(final)

    def _check_sessions(self) -> None:
        """Raise FilesetError (`spn2-backoff`) if no session or no capture of the day is left."""
        found = self._answer("/status/user", refused=True)
        if _number(found, "available", _LEAST_SESSIONS) < _LEAST_SESSIONS:
            raise FilesetError(BACK_OFF, "no session of Save Page Now is left")
        captures, most = _number(found, "daily_captures", 0), found.get("daily_captures_limit")
        if isinstance(most, int) and captures >= most:
            raise FilesetError(BACK_OFF, f"all {most:,} captures of the day are made")

    def _begin(self, url: str) -> str:
        """The id of a new job."""
        found = self._answer("", urlencode({"url": url, **_FORM}).encode())
        message = one_line(_text(found, "message"), _MAX_TEXT)
        if "limit of active" in message:
            raise FilesetError(BACK_OFF, message)
        if "same snapshot had been made" in message:
            raise FilesetError("spn2-recent-capture", message)
        if _text(found, "status") == "error":
            raise _failure(found)
        job = _text(found, "job_id")
        if not job:
            raise FilesetError(FAILED, f"no job{': ' if message else ''}{message}")
        return job

    def _final(self, job: str, alive: Alive) -> Mapping[str, Any]:
        """The last status of a job that was successful. Raises FilesetError."""
        why = "the job has not ended"
        for poll in range(MOST_POLLS):
            alive()
            if poll:
                self._sleep(self._pause)
            try:
                found = self._answer(f"/status/{job}")
            except FilesetError as error:
                # The job goes on, whatever becomes of a question for it.
                why = error.why
                continue
            match _text(found, "status"):
                case "success":
                    return found
                case "error":
                    raise _failure(found)
        raise FilesetError(FAILED, why)

    def _answer(
        self, path: str, form: bytes | None = None, *, refused: bool = False
    ) -> Mapping[str, Any]:
        """The JSON object of an answer; `refused`: only one with the status 200 counts."""
        try:
            response = self._client.ask(self._request(path, form))
        except FetchError as error:
            raise FilesetError(FAILED, str(error)) from error
        except FilesetError as busy:
            # The host has asked for a longer wait than we allow.
            raise FilesetError(BACK_OFF, busy.why, busy.wait) from busy
        what = f"Save Page Now: HTTP {response.status}{explanation(response.body)}"
        if response.status == 429:
            wait = retry_after(response.headers.get("retry-after"), time.time())
            raise FilesetError(BACK_OFF, what, wait)
        if response.status == 401:
            raise FilesetError("error-authentication", what)
        found = json_of(response.body)
        is_known = isinstance(found, dict) and _text(found, "status") == "error"
        if not isinstance(found, dict) or (response.status != 200 and (refused or not is_known)):
            raise FilesetError(FAILED, what)
        return found

    def _request(self, path: str, form: bytes | None) -> Request:
        kind = {"Content-Type": "application/x-www-form-urlencoded"} if form else {}
        return Request(
            url=self._url + path,
            method="POST" if form else "GET",
            body=form,
            accept="application/json",
            headers=lambda _: kind,
            auth=self._auth,
            wanted=_any,
            max_bytes=_MAX_BYTES,
            seconds=_SECONDS,
            record=self._record,
        )


def status_of(error: str) -> str:
    """The status of a fileset for a `status_ext`: error:no-access → forbidden."""
    name = error.strip().lower().removeprefix("error:")
    known = STATUS_OF_ERROR.get(name)
    return known or (f"{SPN_ERROR}{name}" if _NAME.fullmatch(name) else FAILED)


def _credentials(options: WaybackOptions, keys: ArchiveKeys) -> tuple[Credentials, ...]:
    key, secret = (each.get_secret_value() for each in keys)
    given = f"LOW {key}:{secret}"
    return (header(options.save, "Authorization", given),) if key and secret else ()


def _failure(found: Mapping[str, Any]) -> FilesetError:
    why = one_line(_text(found, "message") or _text(found, "exception"), _MAX_TEXT)
    return FilesetError(status_of(_text(found, "status_ext")), f"Save Page Now: {why}")


def _saved(final: Mapping[str, Any]) -> SavedPage:
    url, timestamp = _text(final, "original_url"), _text(final, "timestamp")
    if split(url) is None:
        raise FilesetError("spn2-success-partial-url", f"a capture of {url!r}")
    if not _TIMESTAMP.fullmatch(timestamp):
        raise FilesetError(FAILED, f"a capture without its time: {timestamp!r}")
    return SavedPage(url, timestamp)


def _text(found: Mapping[str, Any], name: str) -> str:
    value = found.get(name)
    return value.strip() if isinstance(value, str) else ""


def _number(found: Mapping[str, Any], name: str, default: int) -> int:
    value = found.get(name)
    return value if isinstance(value, int) else default


def _any(_: Response) -> bool:
    return True
