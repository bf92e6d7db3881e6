"""Zips that platforms make of all files of a dataset, for `download all`, and how they fail."""

import io
import re
import zipfile
from collections.abc import Callable, Iterable, Mapping

_DATE = (2024, 3, 15, 9, 30, 0)
_LIST = "MANIFEST.TXT"
_LIMIT = b"skipped because the total size of the download bundle exceeded the limit of 9 bytes."

Members = list[tuple[str, bytes]]


class _Wire:
    """Takes bytes as a connection does: what was sent can't be changed."""

    def __init__(self) -> None:
        self.sent = bytearray()

    def write(self, data: bytes) -> int:
        self.sent += data
        return len(data)

    def flush(self) -> None:
        """Do nothing."""


def zipped(members: Iterable[tuple[str, bytes]]) -> bytes:
    """A zip of small files; the same bytes for the same members.

    It is made as it is sent, so sizes and CRCs follow the data.
    """
    wire = _Wire()
    with zipfile.ZipFile(wire, "w", zipfile.ZIP_DEFLATED) as bundle:  # type: ignore[call-overload]
        for name, body in members:
            bundle.writestr(zipfile.ZipInfo(name, _DATE), body, zipfile.ZIP_DEFLATED)
    return bytes(wire.sent)


def failed(bundle: bytes, how: str) -> bytes:
    """The zip with a failure of FAILURES; `cut` ends it early. Raises KeyError."""
    if how == "cut":
        return bundle[: len(bundle) // 2]
    with zipfile.ZipFile(io.BytesIO(bundle)) as opened:
        members = [(info.filename, opened.read(info)) for info in opened.infolist()]
    return zipped(FAILURES[how](members))


def _left_out(members: Members) -> Members:
    """Without the first file; the list of Dataverse says so, while the status is 200."""
    (name, _), *others = members
    line = re.compile(rb"(?m)^(%b \([^)]*\)) .*bytes\." % re.escape(name.encode()))
    return [
        (each, line.sub(rb"\1 " + _LIMIT, body) if each == _LIST else body) for each, body in others
    ]


def _wrong(members: Members) -> Members:
    (name, body), *others = members
    return [(name, body[:-1] + bytes([body[-1] ^ 1])), *others]


FAILURES: Mapping[str, Callable[[Members], Members]] = {
    "left-out": _left_out,
    "unsafe": lambda members: [*members, ("../../up.txt", b"up")],
    "wrong": _wrong,
    "more": lambda members: [*members, ("more.txt", b"more")],
}
"""What a platform may do wrong with the files."""
