"""The web archive: Save Page Now, CDX look-ups and replay (spec 3.2, 3.3, 10.4).

POST /save → a job, which fetches from the imitation platforms → captures → /cdx/search/cdx, /web/
"""

import base64
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar
from urllib.parse import parse_qsl, urljoin, urlsplit

from newsroom.repositories.catalogue import Catalogue
from newsroom.repositories.dataset import Dataset
from newsroom.repositories.exchange import Answer, Asked, json_answer, redirect
from newsroom.repositories.faults import Clock
from newsroom.repositories.pages import missing_page
from newsroom.repositories.platforms.archiveorg import ACCESS_KEY, SECRET_KEY
from newsroom.repositories.platforms.platform import Platform, Route

HOST = "web.archive.example"
COLUMNS = (
    *("urlkey", "timestamp", "original", "mimetype", "statuscode", "digest"),
    *("redirect", "robotflags", "length", "offset", "filename"),
)

PUBLIC_COLUMNS = (*COLUMNS[:6], "length")
CDX_TOKEN = "imitation-token"  # noqa: S105 - of a server on loopback, in the open

_MOST_BYTES = 2 * 1000**3
_MOST_REDIRECTS = 3
_ERRORS = {
    403: "error:no-access",
    404: "error:not-found",
    429: "error:too-many-requests",
    502: "error:bad-gateway",
    503: "error:service-unavailable",
    504: "error:gateway-timeout",
}


@dataclass(frozen=True, slots=True)
class Capture:
    """One answer that the archive keeps, and its time (14 digits)."""

    url: str
    timestamp: str
    got: Answer
    is_revisit: bool

    @property
    def digest(self) -> str:
        return base64.b32encode(bytes.fromhex(self.got.content.hash("sha1"))).decode()


class Wayback(Platform):
    """The web archive of the imitation platforms. `captures` shows tests what it has."""

    name = "wayback"
    hosts = (HOST,)
    options: ClassVar = {
        "WAYBACK_URL": f"http://{HOST}",
        "WAYBACK_PAUSE": "0.01",
        "CDX_AUTH_TOKEN": CDX_TOKEN,
    }

    def __init__(
        self, catalogue: Catalogue, fetch: Callable[[Asked], Answer], now: Clock = time.time
    ) -> None:
        super().__init__(catalogue)
        self.captures: list[Capture] = []
        self._jobs: dict[str, dict[str, Any]] = {}
        self._fetch = fetch
        self._now = now
        self._lock = threading.Lock()

    def routes(self) -> Mapping[str, Route]:
        return {
            r"POST /save/?": self._save,
            r"/save/status/user": self._user,
            r"/save/status/([^/]+)": self._status,
            r"/cdx/search/cdx": self._cdx,
            r"/web/(\d{1,14})(?:id_)?/(.+)": self._replay,
        }

    def landing(self, dataset: Dataset) -> str:
        return f"http://{HOST}/web/2024id_/{dataset.id}"

    def capture(self, url: str, *, everything: bool = True) -> dict[str, Any]:
        """Capture a URL and the URLs that it redirects to; the last part of a job's status.

        `everything`: errors are captured, too.
        """
        timestamp = time.strftime("%Y%m%d%H%M%S", time.gmtime(self._now()))
        for _ in range(_MOST_REDIRECTS + 1):
            parts = urlsplit(url)
            target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            got = self._fetch(Asked("GET", parts.netloc.partition(":")[0].lower(), target))
            if problem := _problem(got, everything=everything):
                return {"status": "error", "status_ext": problem, "exception": problem}
            with self._lock:
                known = {each.digest for each in self.captures if each.url == url}
                found = Capture(url, timestamp, got, is_revisit=False)
                self.captures.append(Capture(url, timestamp, got, is_revisit=found.digest in known))
            if not 300 <= got.status < 400:
                return {"status": "success", "timestamp": timestamp, "original_url": url} | {
                    "http_status": got.status
                }
            url = urljoin(url, got.headers["Location"])
        return {"status": "error", "status_ext": "error:too-many-redirects"}

    def _save(self, asked: Asked) -> Answer:
        if not _is_user(asked):
            return json_answer({"message": "You need to be logged in to use Save Page Now."}, 401)
        form = dict(parse_qsl(asked.body.read().decode()))
        url = form.get("url", "")
        if not urlsplit(url).netloc:
            return json_answer({"status": "error", "status_ext": "error:invalid-url-syntax"}, 400)
        job = f"spn2-{len(self._jobs):040x}"
        reply = {"url": url, "job_id": job}
        recent = [each for each in self.captures if each.url == url]
        if recent and form.get("if_not_archived_within"):
            reply["message"] = (
                "The same snapshot had been made 2 minutes ago. "
                "You can make new capture of this URL after 14 days."
            )
            final = {"status": "success", "timestamp": recent[-1].timestamp, "original_url": url}
        else:
            final = self.capture(url, everything=form.get("capture_all") == "1")
        self._jobs[job] = {"polls": 0, "final": final}
        return json_answer(reply)

    def _user(self, asked: Asked) -> Answer:
        if not _is_user(asked):
            return json_answer({"message": "You need to be logged in."}, 401)
        return json_answer(
            {"available": 12, "processing": 0, "daily_captures": 1, "daily_captures_limit": 30000}
        )

    def _status(self, _: Asked, job: str) -> Answer:
        """The status of a job: pending when it is first asked for, then final."""
        found = self._jobs.get(job)
        if found is None:
            return json_answer({"status": "error", "status_ext": "error:job-failed"})
        found["polls"] += 1
        if found["polls"] == 1:
            return json_answer({"status": "pending", "job_id": job, "resources": []})
        extra = {"duration_sec": 1.5, "resources": [], "outlinks": [], "counters": {}}
        return json_answer({"job_id": job, **extra, **found["final"]})

    def _cdx(self, asked: Asked) -> Answer:
        """The captures of a URL as rows, with a token all columns; nothing at all without one."""
        key = surt(asked.query.get("url", ""))
        rows = [_row(each, at) for at, each in enumerate(self.captures) if surt(each.url) == key]
        limit = asked.query.get("limit", "")
        is_last = limit.startswith("-")
        most = int(limit.lstrip("-")) if limit.lstrip("-").isdecimal() else len(rows)
        limited = rows[-most:] if is_last else rows[:most]
        is_known = f"cdx_auth_token={CDX_TOKEN}" in asked.headers.get("cookie", "")
        columns = COLUMNS if is_known else PUBLIC_COLUMNS
        shown = [[row[COLUMNS.index(name)] for name in columns] for row in limited]
        return json_answer([list(columns), *shown] if shown else [])

    def _replay(self, asked: Asked, timestamp: str, _: str) -> Answer:
        """The bytes of a capture, unchanged; of another time, a redirect to the closest one."""
        url = asked.target.split("/", 3)[3]
        found = [each for each in self.captures if each.url == url]
        if not found:
            return missing_page("Wayback Machine")
        best = min(found, key=lambda each: abs(int(each.timestamp) - int(timestamp.ljust(14, "0"))))
        if best.timestamp != timestamp:
            return redirect(f"http://{HOST}/web/{best.timestamp}id_/{url}")
        headers = {
            f"x-archive-orig-{name.lower()}": text for name, text in best.got.headers.items()
        }
        for name in ("Content-Type", "Content-Encoding"):
            if name in best.got.headers:
                headers[name] = best.got.headers[name]
        if 300 <= best.got.status < 400:
            target = urljoin(url, best.got.headers["Location"])
            headers["Location"] = f"http://{HOST}/web/{timestamp}id_/{target}"
        return Answer(best.got.content, best.got.status, headers, file=best.got.file)


def surt(url: str) -> str:
    """The key under which CDX finds a URL: http://www.a.example/B?c → example,a)/b?c"""
    parts = urlsplit(url if "://" in url else f"http://{url}")
    host = parts.netloc.lower().removeprefix("www.").partition(":")[0]
    query = f"?{parts.query}" if parts.query else ""
    return f"{','.join(reversed(host.split('.')))}){parts.path or '/'}{query}".lower()


def _problem(got: Answer, *, everything: bool) -> str:
    """Why an answer isn't captured; "" if it is."""
    if got.status == 421:
        return "error:invalid-host-resolution"
    if got.cut is not None:
        return "error:invalid-server-response"
    if got.content.size > _MOST_BYTES:
        return "error:filesize-limit"
    if got.status >= 400 and not everything:
        return _ERRORS.get(got.status, "error:internal-server-error")
    return ""


def _row(capture: Capture, at: int) -> list[str]:
    got = capture.got
    mimetype = got.headers.get("Content-Type", "unk").partition(";")[0]
    return [
        surt(capture.url),
        capture.timestamp,
        capture.url,
        "warc/revisit" if capture.is_revisit else mimetype,
        "-" if capture.is_revisit else str(got.status),
        capture.digest,
        got.headers.get("Location", "-"),
        "-",
        str(got.content.size + 400),
        str(1000 * at),
        "spn2-20240315/SPN2-20240315093000-00000.warc.gz",
    ]


def _is_user(asked: Asked) -> bool:
    return asked.headers.get("authorization") == f"LOW {ACCESS_KEY}:{SECRET_KEY}"
