"""The ground truth of a folder of pages: `truth.jsonl`, a line of JSON for each page.

    {"file": "a.html", "url": "https://…", "class": "live blog", "text": "…", "title": "…",
     "date": "2026-01-31", "language": "en", "canonical_url": "https://…"}

Only `file` and `text` are needed: a value that is absent is not compared, null says that there is
none. `class` is the kind of page; scores are also computed for each class.
"""

from pathlib import Path

import msgspec
from msgspec import UNSET, UnsetType

from indexer.errors import InputError

NAME = "truth.jsonl"

DEFAULT_URL = "https://page.example/2026/a-story"
"""The URL of pages for which the ground truth has none."""


class LabelledPage(msgspec.Struct, rename={"class_": "class"}, frozen=True):
    """The right values of a page. `date` is YYYY-MM-DD, `language` in two letters."""

    file: str
    text: str
    url: str = DEFAULT_URL
    class_: str = ""
    title: str | UnsetType | None = UNSET
    date: str | UnsetType | None = UNSET
    language: str | UnsetType | None = UNSET
    canonical_url: str | UnsetType | None = UNSET


def read_truth(directory: Path) -> list[LabelledPage]:
    """The labelled pages of a folder, in the order of its ground truth. Raises InputError."""
    path = directory / NAME
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise InputError(f"can't read {path}: {error.strerror or error}") from error
    pages = [_page(path, number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if not pages:
        raise InputError(f"{path} has no pages")
    return pages


def read_page(directory: Path, page: LabelledPage) -> bytes:
    """The bytes of a labelled page. Raises InputError."""
    path = directory / page.file
    if not path.resolve().is_relative_to(directory.resolve()):
        raise InputError(f"{path} is not in {directory}")
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"can't read {path}: {error.strerror or error}") from error


def _page(path: Path, number: int, line: bytes) -> LabelledPage:
    try:
        return msgspec.json.decode(line, type=LabelledPage)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise InputError(f"{path}, line {number}: {error}") from error
