"""The names under which files are stored in an item: safe, distinct, and reversible.

    ../a   → %2E%2E/a        a\\0b  → a%00b        100%  → 100%25        /a → %2Fa
    A, a   → A, a%~1f0e…     NUL, controls, backslashes, lone surrogates → %XX, %uXXXX

Characters that no store, shell or archive tool mishandles stay as they are. `original` reads a name
back without any table, except for an over-long path, whose whole path only the manifest has.
"""

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from indexer.files.whole_files import ASIDE

MAX_SEGMENT: Final = 200
"""The most bytes of a part of a name: file systems allow 255, and downloads add a suffix."""

MAX_NAME: Final = 600
"""The most bytes of a name: S3 allows 1,024 with the prefix and the name of the item."""

MAX_DEPTH: Final = 40

_SHORTENED: Final = 100
"""The bytes that are kept of an over-long path."""

_MARK = "%~"
# XML has no way to write U+FFFE and U+FFFF, and S3 and archive.org list names in XML.
_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f%\\\ud800-\udfff\ufffe\uffff]")
# A slash that would begin, end or repeat: no segment of a name is empty.
_LOOSE_SLASH = re.compile(r"(?<=/)/|^/|/$")
_DOTS = re.compile(r"(?<![^/])\.{1,2}(?![^/])")
_ASIDE = re.compile(rf"(?<![^/])\.(?={re.escape(ASIDE[1:])})")
_ESCAPE = re.compile(r"%u([0-9A-F]{4})|%([0-9A-F]{2})")
_MARKED = re.compile(r"%~[0-9a-f]*$")


def escape(path: str, item: str) -> str:
    """The name of a path in an item; over-long and colliding names are not handled here."""
    name = _UNSAFE.sub(escaped, path)
    name = _LOOSE_SLASH.sub("%2F", name)
    name = _DOTS.sub(lambda found: "%2E" * len(found[0]), name)
    name = _ASIDE.sub("%2E", name)
    return f"%{ord(name[0]):02X}{name[1:]}" if _is_reserved(name, item) else name


def original(name: str) -> str:
    """The path of a name that is not shortened."""
    return _ESCAPE.sub(lambda found: chr(int(found[1] or found[2], 16)), _MARKED.sub("", name))


def stored_names(paths: Sequence[str], item: str) -> list[str]:
    """The name of each path in an item: all are distinct, also where case or NFC don't count.

    No name is the folder of another one. The names don't depend on the order of different paths.
    """
    names = [_shortened(escape(path, item), path) for path in paths]
    folders = {_folded(name[:at]) for name in names for at, c in enumerate(name) if c == "/"}
    taken = folders | {""}
    found = [""] * len(paths)
    for at in sorted(range(len(paths)), key=lambda at: paths[at]):
        name, copy = names[at], 0
        while _folded(name) in taken:
            name = f"{_fitting(names[at])}{_MARK}{_digest(paths[at], copy)}"
            copy += 1
        taken.add(_folded(name))
        found[at] = name
    return found


def escaped(found: re.Match[str]) -> str:
    """The escape of a character."""
    code = ord(found[0])
    return f"%u{code:04X}" if code > 0xFF else f"%{code:02X}"


def _is_reserved(name: str, item: str) -> bool:
    """Whether archive.org or this program has files of this name in each item (filesets.md 4.5)."""
    folded, own = _folded(name), f"{item.casefold()}_"
    # archive.org keeps replaced files below `history/`, and its own files begin with `_`.
    is_history = folded == "history" or folded.startswith("history/")
    return folded.startswith(("_", own)) or is_history


def _shortened(name: str, path: str) -> str:
    segments = name.split("/")
    longest = max(len(segment.encode()) for segment in segments)
    if longest <= MAX_SEGMENT and len(name.encode()) <= MAX_NAME and len(segments) <= MAX_DEPTH:
        return name
    start = segments[-1].encode()[:_SHORTENED].decode(errors="ignore")
    return f"{start}{_MARK}{_digest(path, 0)}"


def _fitting(name: str) -> str:
    """The name with room for a mark."""
    segment = name.rpartition("/")[2].encode()
    excess = len(segment) + 20 - MAX_SEGMENT
    return name if excess <= 0 else name.encode()[:-excess].decode(errors="ignore")


def _digest(path: str, copy: int) -> str:
    text = path.encode("utf-8", "surrogatepass") + b"\0%d" % copy
    return hashlib.sha256(text).hexdigest()[:16]


def _folded(name: str) -> str:
    """The form in which two names are one for a file system that ignores case and composition."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())
