"""One small project, written as each kind of archive: a repository, a directory, packed, lines."""

import io
import json
import os
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pygit2
import zstandard

from indexer.software.archives import objects

URL = "https://example.org/project"
MANIFEST = b'{"name": "thing", "version": "1.2"}'

FILES: Mapping[str, tuple[str, bytes]] = {
    "package.json": (objects.FILE, MANIFEST),
    "README": (objects.FILE, b"a thing\n"),
    "run.sh": (objects.EXECUTABLE, b"#!/bin/sh\n"),
    "latest": (objects.LINK, b"README"),
    "lib/a/deep.txt": (objects.FILE, b""),
    "lib.txt": (objects.FILE, b"after lib/ in a tree, and before it by name\n"),
    "caf\u00e9": (objects.FILE, b"\xff"),
}

SIGNATURE = pygit2.Signature("A", "a@example.org", 1_700_000_000, 0)


def write_directory(path: Path) -> Path:
    """Write the files of the project into a new directory."""
    for name, (mode, data) in FILES.items():
        place = path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        if mode == objects.LINK:
            place.symlink_to(os.fsdecode(data))
        else:
            place.write_bytes(data)
            place.chmod(0o755 if mode == objects.EXECUTABLE else 0o644)
    return path


def write_tree(repository: pygit2.Repository) -> pygit2.Oid:
    """Write the files as a tree of a repository."""
    index = pygit2.Index()
    for name, (mode, data) in FILES.items():
        blob = repository.create_blob(data)
        index.add(pygit2.IndexEntry(name, blob, pygit2.enums.FileMode(int(mode, 8))))
    return index.write_tree(repository)


def write_repository(path: Path, *, bare: bool = True, branch: str = "main") -> Path:
    """Write a repository with one commit, and an annotated tag of it."""
    repository = pygit2.init_repository(str(path), bare=bare, initial_head=branch)
    tree = write_tree(repository)
    commit = repository.create_commit("HEAD", SIGNATURE, SIGNATURE, "one", tree, [])
    kind = pygit2.enums.ObjectType.COMMIT
    repository.create_tag("v1.2", commit, kind, SIGNATURE, "the release")
    repository.free()
    return path


def root_id(directory: Path) -> str:
    """The id of the project's tree, as libgit2 computes it."""
    return str(write_tree(pygit2.init_repository(str(directory), bare=True)))


def write_tar(path: Path, mode: str = "w") -> Path:
    """Write a tar file, with `./` before each name, as many programs do."""
    with tarfile.open(path, mode) as tar:  # type: ignore[call-overload]
        for name, (kind, data) in FILES.items():
            info = tarfile.TarInfo(f"./{name}")
            info.mode = 0o755 if kind == objects.EXECUTABLE else 0o644
            if kind == objects.LINK:
                info.type, info.linkname = tarfile.SYMTYPE, os.fsdecode(data)
                tar.addfile(info)
            else:
                info.size = len(data)
                tar.addfile(info, io.BytesIO(data))
    return path


def write_zstd(path: Path) -> Path:
    """Write a tar file compressed by zstd."""
    plain = write_tar(path.with_suffix(".plain"))
    path.write_bytes(zstandard.compress(plain.read_bytes()))
    return path


def write_zip(path: Path) -> Path:
    """Write a zip file with the modes of Unix."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, (kind, data) in FILES.items():
            info = zipfile.ZipInfo(name)
            info.external_attr = int(kind, 8) << 16
            packed.writestr(info, data)
    return path


def write_lines(path: Path) -> Path:
    """Write the project as lines of JSON: a page of the root directory in each line."""
    root = "1" * 40
    lines: list[dict[str, object]] = [
        {
            "topic": "origin_visit_status",
            "origin": URL,
            "visit": 1,
            "date": "2026-01-01T00:00:00Z",
            "status": "full",
            "type": "git",
            "snapshot": "2" * 40,
        },
        {
            "topic": "snapshot",
            "id": "2" * 40,
            "branches": {"HEAD": {"target_type": "revision", "target": "3" * 40}},
        },
        {"topic": "revision", "id": "3" * 40, "directory": root},
    ]
    for name, (_, data) in FILES.items():
        if "/" not in name:
            id = objects.blob_id(data)
            entry = {"name": name, "type": "file", "target": id}
            lines.append({"topic": "directory", "id": root, "entries": [entry]})
            if name.endswith(".json"):
                lines.append({"topic": "content", "sha1_git": id, "text": data.decode()})
    path.write_text("".join(f"{json.dumps(each)}\n" for each in lines))
    return path


WRITERS: Mapping[str, Callable[[Path], Path]] = {
    "repository": lambda path: write_repository(path / "repository.git"),
    "work tree": lambda path: write_repository(path / "tree", bare=False),
    "directory": lambda path: write_directory(path / "directory"),
    "tar": lambda path: write_tar(path / "p.tar"),
    "tar.gz": lambda path: write_tar(path / "p.tar.gz", "w:gz"),
    "tar.bz2": lambda path: write_tar(path / "p.tar.bz2", "w:bz2"),
    "tar.xz": lambda path: write_tar(path / "p.tar.xz", "w:xz"),
    "tar.zst": lambda path: write_zstd(path / "p.tar.zst"),
    "zip": lambda path: write_zip(path / "p.zip"),
    "lines": lambda path: write_lines(path / "p.jsonl"),
}
