"""Items as bags: BagIt 1.0 (RFC 8493).

data/                           the files, under escaped names
paths.json                      the original path of each of them
item/                           the documents of the item, and its capture
bag-info.txt, bagit.txt         what the bag is
manifest-…, tagmanifest-….txt   the hashes of the files, and of all else

The manifests of a bag write `%` as `%25`, which `bagit.py` 1.9 does not read back. It also refuses
`$HOME`, ends lines at U+2028, and removes a space at their ends: names in a bag have none of these.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path

from indexer.errors import ArchiveError
from indexer.files.hashes import FileHashes
from indexer.filesets.exporting.contents import contents
from indexer.filesets.exporting.copying import copied_document, copied_file
from indexer.filesets.exporting.export import ITEM, RenamedFile
from indexer.filesets.items.item import Item
from indexer.filesets.items.layout import DOCUMENTS, METADATA, SUMS, ItemManifest, loaded_sums
from indexer.filesets.manifest import HASHES
from indexer.filesets.paths import escaped, stored_names
from indexer.text.cleaning import one_line
from indexer.text.dates import utc_now

DECLARATION = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
ALGORITHMS = ("sha512", "sha256", "md5")

_UNSAFE = re.compile(r"[~$]|[^\S ]| $")


def bag_name(name: str) -> str:
    """The name in a bag of a name in an item: `~24` is a dollar sign, `~` stands for `%`."""
    return _UNSAFE.sub(escaped, name).replace("%", "~")


def write_bag(item: Item, manifest: ItemManifest, place: Path) -> list[RenamedFile]:
    """Write an item as a bag; see `Form`."""
    bag = place / ITEM
    files = manifest.archived
    names = stored_names([file.path for file in files], item.name)
    payload = _payload(item, manifest, [f"data/{bag_name(name)}" for name in names], bag)
    paths = dict(zip(payload, (file.path for file in files), strict=True))
    _write(bag / "bagit.txt", DECLARATION)
    _write(bag / "bag-info.txt", _info(item, manifest))
    _write(bag / "paths.json", json.dumps(paths, indent=1) + "\n")
    _write_manifests(bag, "manifest", payload)
    documents = _documents(item, bag)
    tags = {path.name: _hashes(path) for path in sorted(bag.glob("*.*")) if path.is_file()}
    _write_manifests(bag, "tagmanifest", tags | documents)
    return []


def _payload(
    item: Item, manifest: ItemManifest, names: list[str], bag: Path
) -> dict[str, FileHashes]:
    """Copy all files; returns their hashes by name, in the order of the manifest."""
    found: dict[int, FileHashes] = {}
    for number, source in contents(item, manifest):
        path = bag / names[number]
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as copy:
            found[number] = copied_file(manifest.archived[number], source, copy)
    for number, file in enumerate(manifest.archived):
        if number not in found:
            raise ArchiveError(f"{file.path!r:.300} is missing")
    return {name: found[number] for number, name in enumerate(names)}


def _documents(item: Item, bag: Path) -> dict[str, FileHashes]:
    sums = loaded_sums(item.read(SUMS))
    found = {}
    for document in DOCUMENTS:
        # The list of hashes has the names of the item, not those of the bag.
        if document != SUMS and item.has(document):
            name = f"item/{item.name}{document}"
            (bag / "item").mkdir(exist_ok=True)
            with (bag / name).open("xb") as copy:
                sha256 = sums.get(f"{item.name}{document}", "")
                found[name] = copied_document(item, document, sha256, copy)
    return found


def _info(item: Item, manifest: ItemManifest) -> str:
    metadata = json.loads(item.read(METADATA)) if item.has(METADATA) else {}
    values = {
        "Bag-Software-Agent": "story-indexer",
        "Bagging-Date": f"{utc_now():%Y-%m-%d}",
        "Payload-Oxum": f"{manifest.size}.{len(manifest.archived)}",
        "Internal-Sender-Identifier": item.name,
        "Internal-Sender-Description": manifest.platform_base_url,
        "External-Identifier": metadata.get("doi") or manifest.platform_id,
        "External-Description": metadata.get("title"),
    }
    found = {
        name: one_line(value, 1000) for name, value in values.items() if isinstance(value, str)
    }
    return "".join(f"{name}: {value}\n" for name, value in found.items() if value)


def _write_manifests(bag: Path, kind: str, hashes: Mapping[str, FileHashes]) -> None:
    digests = {name: each.digests() for name, each in hashes.items()}
    for algorithm in ALGORITHMS:
        lines = (f"{digests[name][algorithm]}  {name}\n" for name in sorted(digests))
        _write(bag / f"{kind}-{algorithm}.txt", "".join(lines))


def _hashes(path: Path) -> FileHashes:
    hashes = FileHashes(HASHES)
    with path.open("rb") as file:
        hashes.read(file)
    return hashes


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
