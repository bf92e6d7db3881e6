"""The parts of platform items: files of manifests, names and metadata of archive.org items."""

import hashlib
import html
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from indexer.errors import FilesetError
from indexer.filesets.manifest import HASHES, RESTRICTED, FilesetManifestFile
from indexer.filesets.platform_item import FilesetPlatformItem, ItemMetadata
from indexer.text.cleaning import one_line

_MIN_NAME, _MAX_NAME = 3, 100
_DIGEST = 12
_TAG = re.compile("<[^<>]*>")
# What URLs of files keep: all that a path segment may have (RFC 3986, 3.3), as InvenioRDM does.
_PATH = "/!$&'()*+,;=:@~"


def restricted(name: str, *reasons: str) -> FilesetError:
    """The error for a dataset whose files are not public, with the reasons that are not empty."""
    # Reasons may be written in HTML.
    texts = (one_line(html.unescape(_TAG.sub(" ", reason)), 300).strip() for reason in reasons)
    said = ", ".join(filter(None, texts))
    return FilesetError("platform-restricted", f"{name}: {said or 'not public'}")


def closed(file: FilesetManifestFile, reason: str, until: str = "") -> FilesetManifestFile:
    """The file, marked as not public; `until` is the day on which its embargo ends."""
    file.status = RESTRICTED
    file.add_extra(restriction=one_line(reason, 300), restricted_until=until)
    return file


def quoted(path: str) -> str:
    """A path as a part of a URL."""
    return quote(path, safe=_PATH)


def manifest_file(
    path: str,
    url: str,
    *,
    size: int | None,
    hashes: Mapping[str, str],
    mimetype: str = "",
    **extra: Any,
) -> FilesetManifestFile:
    """A file of a manifest; hashes of other algorithms than ours are kept in `extra`."""
    file = FilesetManifestFile(
        path=path, size=size, mimetype=mimetype or None, platform_url=url or None
    )
    file.add_hashes({name: digits for name, digits in hashes.items() if name in HASHES})
    file.add_extra(**{name: each for name, each in hashes.items() if name not in HASHES}, **extra)
    return file


def distinct(manifest: list[FilesetManifestFile]) -> list[FilesetManifestFile]:
    """The files, each with a path of its own: a repeated one gets a number before its suffix."""
    taken: set[str] = set()
    counts: Counter[str] = Counter()
    for file in manifest:
        path = file.path
        while file.path in taken:
            counts[path] += 1
            file.path = _numbered(path, counts[path] + 1)
        if file.path != path:
            file.add_extra(original_path=path)
        taken.add(file.path)
    return manifest


def _numbered(path: str, number: int) -> str:
    folder, slash, name = path.rpartition("/")
    stem, dot, suffix = (name, "", "") if name.startswith(".") else name.partition(".")
    return f"{folder}{slash}{stem} ({number}){dot}{suffix}"


def item_name(*parts: str) -> str:
    """A name of an archive.org item: 3 to 100 characters of `A-Za-z0-9._-` (spec 10.4).

    A name that is too short or too long ends with a hash of the whole.
    """
    text = "-".join(part for part in parts if part)
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", text).lstrip("._-")
    if _MIN_NAME <= len(name) <= _MAX_NAME:
        return name
    digest = hashlib.sha256(text.encode()).hexdigest()[:_DIGEST]
    return f"{name[: _MAX_NAME - _DIGEST - 1]}-{digest}".lstrip("-")


def longer_item_name(item: FilesetPlatformItem) -> str:
    """The name for an item whose name another dataset has: with the whole id (spec 4.2)."""
    id = (item.platform_id or "").partition(":")[2] or item.platform_id or ""
    version = (item.platform_version or "").removeprefix("v")
    return item_name(item.platform_domain or "", id, f"v{version}" if version else "")


def item_metadata(**values: str | list[str]) -> ItemMetadata:
    """The metadata of an archive.org item; empty values are left out.

    `license` with a URL is `licenseurl`, too, and `doi` an external identifier.
    """
    found: ItemMetadata = {"collection": "datasets"}
    for name, value in values.items():
        texts = [text for each in _listed(value) if (text := each.strip())]
        if texts:
            found[name] = texts if isinstance(value, list) else texts[0]
    license, doi = values.get("license"), values.get("doi")
    if isinstance(license, str) and license.startswith("http"):
        found["licenseurl"] = license
    if isinstance(doi, str) and doi:
        found["external-identifier"] = f"urn:doi:{doi}"
    return found


def _listed(value: str | list[str]) -> list[str]:
    return value if isinstance(value, list) else [value]
