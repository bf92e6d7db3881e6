"""Faults that can be switched on for URLs: how the real platforms fail, now and then.

    429:times=2:seconds=1@zenodo.example/api/*      KIND[:OPTION=VALUE…]@HOST/PATH

`*` and `?` in the pattern are wildcards; a method may stand before it: `503@PUT s3.*`. The kinds
are those of INSTEAD and CHANGES, the number of each status, and 429-epoch and 403-epoch.
"""

import gzip
import json
import random
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from urllib.parse import urlsplit

from newsroom.repositories.bundles import failed
from newsroom.repositories.content import Content
from newsroom.repositories.exchange import (
    HTML,
    Answer,
    Asked,
    Headers,
    answer,
    json_answer,
    redirect,
)
from newsroom.repositories.storage import signed_url

Clock = Callable[[], float]
"""Gives seconds since 1970."""

Instead = Callable[["Fault", Asked], Answer]


@dataclass(frozen=True, slots=True)
class Fault:
    """A kind of failure for the requests that match a pattern.

    It happens `times` (0: always), to a `share` of the requests, after the first `skip`. `seconds`
    is a delay or the time until a reset; `bytes` are sent before an end, or each second; `value` is
    what Save Page Now names as the error.
    """

    kind: str
    pattern: str = "*"
    times: int = 0
    share: float = 1.0
    skip: int = 0
    seconds: float = 1.0
    bytes: int = 100
    value: str = ""

    @classmethod
    def parse(cls, text: str) -> "Fault":
        """A fault from its text. Raises ValueError."""
        names, at, pattern = text.partition("@")
        kind, *options = names.split(":")
        if not at or (kind not in KINDS and not _is_status(kind)):
            raise ValueError(f"{text!r} is not KIND[:OPTION=VALUE…]@HOST/PATH, of a known kind")
        fault = cls(kind, pattern)
        for option in options:
            name, _, value = option.partition("=")
            if name not in ("times", "share", "skip", "seconds", "bytes", "value"):
                raise ValueError(f"{text!r}: no option {name!r}")
            fault = replace(fault, **{name: type(getattr(fault, name))(value)})
        return fault

    def matches(self, asked: Asked) -> bool:
        place = f"{asked.host}{asked.target}"
        return fnmatchcase(place, self.pattern) or fnmatchcase(
            f"{asked.method} {place}", self.pattern
        )


class Faults:
    """The faults that are on; they can change while the repositories are served."""

    def __init__(self, faults: list[Fault], *, now: Clock = time.time, seed: int = 0) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._random = random.Random(seed)  # noqa: S311 - no secret
        self._on: list[Fault] = list(faults)
        self._seen: dict[int, int] = {}
        self._done: dict[int, int] = {}

    def switch_on(self, *texts: str) -> None:
        """Add faults. Raises ValueError."""
        with self._lock:
            self._on += [Fault.parse(text) for text in texts]

    def clear(self) -> None:
        with self._lock:
            self._on, self._seen, self._done = [], {}, {}

    def apply(self, asked: Asked, good: Callable[[], Answer]) -> Answer:
        """The good answer, or that of the first fault whose turn it is."""
        fault = self._chosen(asked)
        if fault is None:
            return good()
        if _is_status(fault.kind):
            found = _status(fault, asked, self._now())
        elif fault.kind in INSTEAD:
            found = INSTEAD[fault.kind](fault, asked)
        else:
            found = CHANGES[fault.kind](good(), fault)
        return replace(found, fault=fault.kind)

    def _chosen(self, asked: Asked) -> Fault | None:
        with self._lock:
            for at, fault in enumerate(self._on):
                if not fault.matches(asked):
                    continue
                seen = self._seen[at] = self._seen.get(at, 0) + 1
                done = self._done.get(at, 0)
                if seen <= fault.skip or (fault.times and done >= fault.times):
                    continue
                if fault.share < 1.0 and self._random.random() >= fault.share:
                    continue
                self._done[at] = done + 1
                return fault
        return None


def _is_status(kind: str) -> bool:
    return kind in ("429-epoch", "403-epoch") or (kind.isdecimal() and len(kind) == 3)


def _status(fault: Fault, asked: Asked, now: float) -> Answer:
    """A refusal with the headers that tell when to come back."""
    status = int(fault.kind[:3])
    if asked.host.startswith("s3.") and status in _S3_ERRORS:
        return _s3_error(status)
    headers: dict[str, str] = {}
    if fault.kind.endswith("-epoch"):
        # Dryad follows the draft of the IETF, all others the older habit with X-.
        prefix = "RateLimit" if "dryad" in asked.host else "X-RateLimit"
        reset = str(int(now + fault.seconds) + 1)
        headers = {f"{prefix}-Limit": "133", f"{prefix}-Remaining": "0", f"{prefix}-Reset": reset}
    elif status in (429, 503):
        headers = {"Retry-After": f"{fault.seconds:.0f}"}
    words = "Rate limit exceeded." if status == 429 else "The service failed."
    return json_answer({"status": status, "message": words}, status, headers)


_S3_ERRORS = {
    400: ("BadDigest", "The Content-MD5 you specified did not match what we received."),
    503: ("SlowDown", "Please reduce your request rate."),
}


def _s3_error(status: int) -> Answer:
    """A refusal of archive.org's S3 API: of damaged bytes, or under load."""
    code, message = _S3_ERRORS[status]
    return answer(
        f'<?xml version="1.0"?><Error><Code>{code}</Code><Message>{message}</Message></Error>',
        "application/xml",
        status,
    )


def _page(status: int, body: str = "", headers: Headers | None = None) -> Instead:
    return lambda *_: answer(body, HTML, status, headers)


def _spn(fault: Fault, _: Asked) -> Answer:
    words = "You have already reached the limit of active Save Page Now sessions. Please wait."
    message = words if fault.value == "user-session-limit" else f"The job failed: {fault.value}"
    named = f"error:{fault.value}"
    return json_answer(
        {"status": "error", "status_ext": named, "exception": named, "message": message}
    )


def _followed(good: Answer, _: Fault) -> Answer:
    """A job that was joined with an earlier one of the same URL, which has the capture."""
    job = json.loads(good.content.whole())["job_id"]
    return json_answer({"status": "success", "job_id": job, "original_job_id": job})


def _partial(good: Answer, _: Fault) -> Answer:
    final = json.loads(good.content.whole())
    return json_answer({**final, "original_url": urlsplit(final.get("original_url", "")).path})


def _gzip(good: Answer, _: Fault) -> Answer:
    return replace(good, headers={**good.headers, "Content-Encoding": "gzip"})


def _packed(good: Answer, _: Fault) -> Answer:
    body = Content(gzip.compress(good.content.whole(), mtime=0))
    return replace(good, content=body, headers={**good.headers, "Content-Encoding": "gzip"})


def _refused_range(good: Answer, _: Fault) -> Answer:
    return answer(b"", HTML, 416, {"Content-Range": f"bytes */{good.content.size}"})


def _failed_bundle(good: Answer, fault: Fault) -> Answer:
    return replace(good, content=Content(failed(good.content.whole(), fault.value)))


def _spoilt(good: Answer, _: Fault) -> Answer:
    return replace(good, content=good.content.spoilt()) if good.content.block else good


INSTEAD: Mapping[str, Instead] = {
    "waf": _page(202, headers={"x-amzn-waf-action": "challenge"}),
    "waf-403": _page(403, "<html><h1>403 Forbidden</h1></html>\n"),
    "empty-202": _page(202),
    "html": _page(200, "<html><title>Just a moment</title>Checking your browser.</html>\n"),
    "signed": lambda _, asked: redirect(signed_url(asked)),
    "refuse": lambda *_: Answer(Content(b""), cut=-1, reset=True),
    "spn": _spn,
    "spn-busy": lambda *_: json_answer({"available": 0, "processing": 12}),
    "spn-quota": lambda *_: json_answer(
        {"available": 12, "processing": 0, "daily_captures": 9, "daily_captures_limit": 9}
    ),
    "no-rows": lambda *_: json_answer([]),
    "over-limit": lambda *_: json_answer({"over_limit": 1, "detail": {}}),
}
"""Answers in place of the good one; the request has no effect, so an upload is not stored.

waf: the challenge of a web firewall; signed: a redirect to a signed URL of the same bytes; refuse:
a reset without an answer; spn: an error of Save Page Now; no-rows: an index that lags behind;
over-limit: the answer to check_limit.
"""

CHANGES: Mapping[str, Callable[[Answer, Fault], Answer]] = {
    "truncate": lambda good, fault: replace(good, cut=fault.bytes),
    "reset": lambda good, fault: replace(good, cut=fault.bytes, reset=True),
    "wrong-hash": _spoilt,
    "drip": lambda good, fault: replace(good, pace=fault.bytes),
    "delay": lambda good, fault: replace(good, delay=fault.seconds),
    "no-range": lambda good, _: replace(good, ranges=False),
    "range-refused": _refused_range,
    "gzip": _gzip,
    "packed": _packed,
    "spn-followed": _followed,
    "spn-partial": _partial,
    "bundle": _failed_bundle,
}
"""What becomes of the good answer. gzip: a Content-Encoding for bytes that are stored packed;
packed: one for bytes that the server packs; spn-followed, spn-partial: for the status of a job;
bundle: a zip that fails in the way of `value`."""

KINDS = (*INSTEAD, *CHANGES)
