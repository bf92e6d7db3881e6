"""Indexing of origins: origins a CPU-second, for a first run and for one that writes nothing.

    python -m benchmarks software indexing --origins 100000 --database sqlite:////tmp/rows.sqlite3

Origins are synthetic: each has a HEAD that leads through a revision to a root directory of 12 files
in it. A third has a package.json of 1 kB of its own, a tenth a codemeta.json and a package.json, a
tenth is a fork with the directory of another origin, and the others have no manifest. The rows are
those of the store; the archive is in memory, and its own time is measured apart and told.
"""

import argparse
import json
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import repeat
from pathlib import Path

from indexer.software.archives import objects
from indexer.software.archives.heads import head_of
from indexer.software.archives.source_archive import (
    ContentBytes,
    DirectoryEntry,
    ObjectKind,
    ObjectRef,
    OriginVisit,
)
from indexer.software.indexing.origins import index_origins
from indexer.software.indexing.rows import Changes
from indexer.software.store.indexed_rows import StoredRows
from indexer.software.store.store import SoftwareStore

BATCH = 200
"""Origins of a batch, as the origin-indexer has them."""

FILES = [f"file-{number:02}.c" for number in range(10)]


class SyntheticArchive:
    """Origins numbered from 0; everything is made from the number when it is asked for."""

    def visit(self, origin: str) -> OriginVisit | None:
        """See `SourceArchive`."""
        number = int(origin.rpartition("/")[2])
        of = number - 1 if number % 10 == 7 else number
        head = ObjectRef(ObjectKind.REVISION, _id(of))
        alias = ObjectRef(ObjectKind.ALIAS, "refs/heads/main")
        return OriginVisit("git", {"HEAD": alias, "refs/heads/main": head})

    def peel(self, ref: ObjectRef) -> ObjectRef | None:
        """See `SourceArchive`."""
        return ObjectRef(ObjectKind.DIRECTORY, ref.id)

    def pages(self, directory: str) -> Iterator[Sequence[DirectoryEntry]] | None:
        """See `SourceArchive`."""
        names = [*FILES, *_manifests(int(directory, 16))]
        ids = (f"{name[0].encode().hex()}{directory[2:]}" for name in names)
        entries = [DirectoryEntry(*each) for each in zip(names, repeat("file"), ids)]
        return iter([entries])

    def content(self, id: str) -> ContentBytes | None:
        """See `SourceArchive`."""
        data = _manifest(chr(int(id[:2], 16)), int(id[2:], 16))
        return ContentBytes(data, len(data), objects.sha1(data))

    def close(self) -> None:
        """See `SourceArchive`."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure a first run and a second one, and print both."""
    parser = argparse.ArgumentParser("benchmarks software.indexing", description=__doc__)
    parser.add_argument("--origins", type=int, default=100_000)
    parser.add_argument("--database", default="", help="default: an SQLite file that is removed")
    given = parser.parse_args(arguments)
    urls = [f"https://synthetic.example/{number}" for number in range(given.origins)]
    archive = SyntheticArchive()
    with tempfile.TemporaryDirectory() as folder:
        url = given.database or f"sqlite:///{Path(folder) / 'rows.sqlite3'}"
        with closing(SoftwareStore.open(url)) as store:
            _tell("heads alone", len(urls), lambda: _heads(archive, urls))
            for name in ("first run", "second run"):
                _tell(name, len(urls), lambda: _indexed(archive, urls, store))


def _heads(archive: SyntheticArchive, urls: Sequence[str]) -> Counter[str]:
    return Counter(head_of(archive, url).branch for url in urls)


class _CountedRows(StoredRows):
    written = 0

    def write(self, changes: Changes) -> None:
        """See `SoftwareRows`."""
        self.written += sum(changes.counts.values())
        super().write(changes)


def _indexed(archive: SyntheticArchive, urls: Sequence[str], store: SoftwareStore) -> Counter[str]:
    rows, statuses = _CountedRows(store), Counter[str]()
    for start in range(0, len(urls), BATCH):
        batch = index_origins(archive, urls[start : start + BATCH], rows)
        statuses.update(each.status.value for each in batch)
    return statuses + Counter({"rows written": rows.written})


def _tell(name: str, count: int, act: Callable[[], Counter[str]]) -> None:
    started = time.process_time()
    found = act()
    seconds = time.process_time() - started
    told = ", ".join(f"{word} {number:,}" for word, number in sorted(found.items(), key=str))
    print(f"{name:<12} {count / seconds:10,.0f} origins a CPU-second   {told}")


def _manifests(number: int) -> list[str]:
    if number % 10 == 1:
        return ["codemeta.json", "package.json"]
    return ["package.json"] if number % 3 == 0 else ["Makefile"]


def _manifest(kind: str, number: int) -> bytes:
    name = f"thing-{number}"
    if kind == "c":
        return json.dumps({"@context": "https://w3id.org/codemeta/3.0", "name": name}).encode()
    return json.dumps(
        {
            "name": name,
            "version": f"1.{number % 40}.0",
            "description": f"The thing of number {number}, which does what such things do",
            "license": "MIT",
            "author": f"Author {number % 1000} <a{number % 1000}@example.org>",
            "keywords": ["thing", f"k{number % 500}"],
            "repository": {"type": "git", "url": f"https://forge.example/{name}.git"},
            "dependencies": {f"dependency-{each}": "^1.0.0" for each in range(12)},
            "scripts": {"test": "make test", "build": "make"},
        }
    ).encode()


def _id(number: int) -> str:
    return f"{number:040x}"


if __name__ == "__main__":
    main()
