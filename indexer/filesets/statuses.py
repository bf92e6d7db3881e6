"""The statuses of filesets and of their files (filesets.md 7): names that never change.

status → is it a hit? → level: which part of the ingest decided → meaning, for people
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple


class Level(StrEnum):
    """The part of an ingest that decides about a status."""

    HIT = "hit"
    REQUEST = "request"
    LANDING = "landing page"
    PLATFORM = "platform"
    ARCHIVE = "archive"
    FILE = "file"


@dataclass(frozen=True, slots=True)
class Status:
    """A status: its name, level and meaning."""

    name: str
    level: Level
    meaning: str

    @property
    def is_hit(self) -> bool:
        """Whether all files of the dataset are archived."""
        return is_hit(self.name)


SUCCESS: Final = "success"
SUCCESS_EXISTING: Final = "success-existing"
SUCCESS_FILE: Final = "success-file"
SUCCESS_PARTIAL: Final = "success-partial"
INTERNAL_ERROR: Final = "internal-error"

SPN_ERROR: Final = "spn2-error:"
"""The start of statuses of Save Page Now whose list grows: `spn2-error:job-failed`."""


def is_hit(status: str) -> bool:
    """Whether a status of a fileset says that it is archived."""
    return status.startswith(SUCCESS)


class RetryClass(NamedTuple):
    """A reason why an ingest may end otherwise later, and the most tries after the first one."""

    reason: str
    tries: int


_TABLE: Final = {
    Level.HIT: {
        "success": "all files are stored and verified",
        "success-existing": "all files had been stored before, and were verified",
        "success-file": "the only file is stored and verified",
        "success-partial": "all files but the restricted ones are stored; only if asked for",
    },
    Level.REQUEST: {
        "bad-request": "the line is no request for a dataset",
        "internal-error": "a fault of this program; the message has the exception",
        "timeout": "the request took longer than allowed",
        "existing": "the request was answered before",
        "error-authentication": "credentials are missing, or were refused",
        "insufficient-disk": "the disk has no room for the files",
    },
    Level.LANDING: {
        "skip-url-blocklist": "the URL is in the blocklist",
        "blocked-cookie": "the site answers only visitors with cookies",
        "no-capture": "the web archive has no capture of the page",
        "bad-redirect": "a redirect without a valid target",
        "redirect-loop": "the redirects lead in a circle",
        "redirects-exceeded": "too many redirects",
        "terminal-bad-status": "the last answer has another HTTP status than 200",
        "empty-blob": "the body is empty",
        "body-too-large": "the page is larger than the limit",
        "bad-gzip-encoding": "the body says it is gzip, but can't be unpacked",
        "not-implemented": "a URL of a kind that is not supported",
        "spn2-error": "Save Page Now failed",
        "spn2-backoff": "Save Page Now allows no more captures at present",
        "spn2-no-ftp": "Save Page Now does not capture FTP",
        "spn2-recent-capture": "Save Page Now has a recent capture, and made none",
        "spn2-success-partial-url": "Save Page Now answered with a URL that is not absolute",
        "spn2-cdx-lookup-failure": "the capture of Save Page Now is not in the index",
        "spn2-wayback-error": "the capture of Save Page Now can't be replayed",
        "invalid-url": "the URL is not valid",
        "not-found": "the page does not exist",
        "invalid-host-resolution": "the host has no address",
        "gateway-timeout": "the site's gateway had no answer in time",
        "too-many-redirects": "too many redirects, for Save Page Now",
        "read-timeout": "the site sent no answer in time",
        "forbidden": "the site refuses access",
        "remote-server-error": "the site answered with an error of its own",
        "petabox-error": "the store of the web archive failed",
        "cdx-error": "the index of the web archive failed",
        "wayback-error": "the replay of the web archive failed",
        "wayback-content-error": "the web archive replays other content than it has indexed",
    },
    Level.PLATFORM: {
        "no-platform-match": "no known platform is behind the URL",
        "platform-scope": "not one version of one dataset: the message names what it is",
        "platform-restricted": "the platform does not give the files to the public",
        "platform-404": "the platform has no such dataset",
        "platform-gone": "the dataset was removed; only if asked for",
        "platform-rate-limited": "the platform asked to wait longer than allowed",
        "platform-http-error": "the platform answered with an unexpected HTTP status",
        "platform-error": "the platform's answer is missing, or not as documented",
        "empty-manifest": "the dataset has no files",
        "too-large-size": "the files are larger than `max_total_size`",
        "too-many-files": "the files are more than `max_file_count`",
        "no-strategy-helper": "no code for the strategy",
    },
    Level.ARCHIVE: {
        "unsafe-path": "a file whose path can't be stored, not even escaped",
        "error-platform-download": "the platform did not send a file",
        "mismatch-size": "a file has another size than announced",
        "mismatch-md5": "a file has another MD5 than announced",
        "mismatch-sha1": "a file has another SHA-1 than announced",
        "mismatch-sha256": "a file has another SHA-256 than announced",
        "mismatch": "a capture has other bytes than announced",
        "conflict-existing": "the item has other bytes under the name of a file: they are kept",
        "error-archiveorg-upload": "the item could not be stored",
        "too-much-spn": "more captures than allowed for one dataset",
        "transfer-encoding-error": "a capture can't be unpacked",
        "not-processed": "the file was not reached, because another one failed",
        "bundle-mismatch": "the bundle has other files than announced",
        "bundle-unsafe": "the bundle must not be unpacked",
    },
    Level.FILE: {
        "exists": "the item has this file",
        "mismatch-existing": "the item has another file of this name",
        "exists-local": "the file was read before",
        "downloaded-local": "the file was read",
        "verified-local": "the file was read and verified",
    },
}

STATUSES: Final = {
    name: Status(name, level, meaning)
    for level, rows in _TABLE.items()
    for name, meaning in rows.items()
}
"""All statuses by name; the rest of Save Page Now's start with `SPN_ERROR`."""

_LIMIT: Final = RetryClass("a server allows no more requests at present", 10)
_FAULT: Final = RetryClass("a server failed, or a network", 3)
_STORE: Final = RetryClass("the store is unavailable or full", 10)

RETRY_CLASSES: Final = {
    **dict.fromkeys(["spn2-backoff", "platform-rate-limited"], _LIMIT),
    **dict.fromkeys(["error-archiveorg-upload", "insufficient-disk"], _STORE),
    **dict.fromkeys(
        [
            *("platform-error", "error-platform-download", "remote-server-error"),
            *("gateway-timeout", "read-timeout", "invalid-host-resolution", "no-capture"),
            *("spn2-error", "cdx-error", "petabox-error", "wayback-error"),
            *("spn2-cdx-lookup-failure", "spn2-wayback-error"),
        ],
        _FAULT,
    ),
}
"""The statuses that are tried again later (filesets.md 12.13); all others are results at once."""


def retry_class(status: str, page: int) -> RetryClass | None:
    """How often an ingest that ended with a status is tried again, if at all.

    `page` is the HTTP status of the landing page, 0 if there is none.
    """
    if status == "terminal-bad-status":
        return _LIMIT if page == 429 else _FAULT if page >= 500 else None
    return RETRY_CLASSES.get(status)
