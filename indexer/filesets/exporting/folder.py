"""Items as folders, with the original paths of the files.

path → relative, without `..`, control characters… → created anew → ITEM/path
     → or else, or if the file system refuses it    → ITEM~renamed/files/escaped name, names.json
"""

import errno
import json
import unicodedata
from pathlib import Path
from typing import BinaryIO

from indexer.errors import ArchiveError
from indexer.filesets.exporting.contents import contents
from indexer.filesets.exporting.copying import copied_file
from indexer.filesets.exporting.export import ITEM, RENAMED, RenamedFile
from indexer.filesets.items.item import Item
from indexer.filesets.items.layout import ItemManifest
from indexer.filesets.paths import stored_names
from indexer.text.cleaning import is_text

NAMES = "names.json"

# What a file system says of a name that it can't hold, or that another file has there.
_REFUSALS = (
    *(errno.ENAMETOOLONG, errno.EILSEQ, errno.EINVAL),
    *(errno.EEXIST, errno.ENOTDIR, errno.EISDIR),
)
_MAX_DEPTH = 200


def write_folder(item: Item, manifest: ItemManifest, place: Path) -> list[RenamedFile]:
    """Write all files of an item; see `Form`."""
    files = manifest.archived
    names = stored_names([file.path for file in files], item.name)
    renamed: dict[int, RenamedFile] = {}
    missing = set(range(len(names)))
    for number, source in contents(item, manifest):
        file = files[number]
        opened, why = _created(place / ITEM, file.path)
        if opened is None:
            name = f"files/{names[number]}"
            renamed[number] = RenamedFile(file.path, name, why)
            opened = _opened(place / RENAMED / name)
        with opened:
            copied_file(file, source, opened)
        missing.discard(number)
    if missing:
        raise ArchiveError(f"{files[min(missing)].path!r:.300} is missing")
    found = [each for _, each in sorted(renamed.items())]
    if found:
        values = [each._asdict() for each in found]
        (place / RENAMED / NAMES).write_text(json.dumps(values, indent=1) + "\n", encoding="ascii")
    return found


def unsafe(path: str) -> str:
    """The reason for which no file must get this path; "" if there is none."""
    parts = path.split("/")
    reasons = {
        "absolute": path.startswith("/"),
        "a part is empty": not all(parts),
        "a folder named . or ..": "." in parts or ".." in parts,
        "control characters": any(unicodedata.category(char) == "Cc" for char in path),
        "not Unicode text": not is_text(path),
        "too many folders": len(parts) > _MAX_DEPTH,
    }
    return next((why for why, is_so in reasons.items() if is_so), "")


def _created(root: Path, path: str) -> tuple[BinaryIO | None, str]:
    """The new file of a path; None, and why, if the path is unsafe or refused."""
    if why := unsafe(path):
        return None, why
    try:
        return _opened(root / path), ""
    except OSError as error:
        if error.errno not in _REFUSALS:
            raise
        is_taken = error.errno in (errno.EEXIST, errno.ENOTDIR, errno.EISDIR)
        return None, "another file has this name" if is_taken else "the file system refuses it"


def _opened(path: Path) -> BinaryIO:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.open("xb")
