"""Entities as lines of JSON, each once: DATAROOT/catalogue-entities/fileset-2026-11-22.jsonl.

A result that comes again makes no second line, so all results may be read again from the start.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from indexer.errors import ConfigurationError, Discard, StorageError
from indexer.files.locks import try_lock
from indexer.filesets.importing.entities import FILE, FILESET, Entity, file_entity, fileset_entity
from indexer.filesets.importing.options import EntityOptions
from indexer.filesets.results.dated_lines import DatedLines

DIRECTORY: Final = "catalogue-entities"
"""Where entities are kept, in the data directory."""

IMPORTED: Final = "imported"

_ENTITY: Final[Mapping[str, Callable[[Mapping[str, Any], EntityOptions], Entity]]] = {
    FILESET: fileset_entity,
    FILE: file_entity,
}


class EntityLines:
    """The entities of one kind. One importer at a time writes them."""

    def __init__(self, data: Path, kind: str, options: EntityOptions) -> None:
        """Read the entities that are in a data directory, and keep other importers out.

        Raises ConfigurationError if another importer writes them, StorageError.
        """
        directory = data / DIRECTORY
        try:
            directory.mkdir(parents=True, exist_ok=True)
            lock = try_lock(directory / f".{kind}.importer")
        except OSError as error:
            raise StorageError(f"can't write {directory}: {error.strerror}") from error
        if lock is None:
            raise ConfigurationError(f"{directory}: another importer writes entities there")
        self._lock = lock
        self._lines = DatedLines(directory, kind)
        self._kind = kind
        self._options = options
        self._known: dict[str, str] = {}
        for entity in self._lines.read():
            self._known.setdefault(_key(kind, entity), _content(entity))

    def add(self, result: Mapping[str, Any]) -> str:
        """Append the entity of a result durably; return IMPORTED.

        Raises Discard for a result without an entity: it is skipped, the entity exists, or its
        release has another fileset, which is not replaced. Raises StorageError.
        """
        entity = _ENTITY[self._kind](result, self._options)
        key, content = _key(self._kind, entity), _content(entity)
        if (known := self._known.get(key)) is not None:
            raise Discard("exists" if known == content else "skip-release-has-fileset")
        self._lines.append(entity)
        self._known[key] = content
        return IMPORTED

    def close(self) -> None:
        """Let another importer write."""
        self._lock.close()


def _key(kind: str, entity: Entity) -> str:
    """What an entity must be the only one of: a fileset of its release, a file of its bytes too."""
    release = [entity.get("release_ids"), entity.get("release_ext_ids")]
    bytes = entity.get("sha1") if kind == FILE else None
    return json.dumps([release, bytes], sort_keys=True)


def _content(entity: Entity) -> str:
    """What two near-equal filesets have in common: paths, sizes and hashes, in any order."""
    names = ("path", "size", "md5", "sha1")
    files = sorted(
        json.dumps([file.get(name) for name in names]) for file in entity.get("manifest", ())
    )
    return hashlib.sha256("\n".join(files).encode()).hexdigest()
