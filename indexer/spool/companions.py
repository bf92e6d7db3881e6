"""Companions: a small file about each delivered file, beside it in every store, as an index is.

    delivered → make: STATE/NAME.SUFFIX → upload, until every store has it → removed

A companion that can't be made or uploaded is logged, and never holds up a file or its messages.
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import BinaryIO, NamedTuple

from indexer.blobstore import Blobstore, sha256_of
from indexer.errors import StorageError, StoryIndexerError
from indexer.files.whole_files import write_whole
from indexer.spool.manifest import Manifest, key_in, upload
from indexer.system.loggers import get_logger

log = get_logger()


class Companion(NamedTuple):
    """The kind of a spool's companions. The companion of the object KEY is KEY + `suffix`.

    `content` makes one from a file and its name in the store. Raises StoryIndexerError.
    """

    suffix: str
    content: Callable[[BinaryIO, str], bytes]


NONE = Companion("", lambda _file, _name: b"")
"""Files without companions."""


class Companions:
    """Makes companions in the directory `state`, and uploads them to `stores`."""

    def __init__(self, kind: Companion, state: Path, stores: Mapping[str, Blobstore]) -> None:
        self._kind = kind
        self._state = state
        self._stores = stores if kind.suffix else {}

    def wait(self, manifest: Manifest) -> bool:
        """Whether companions of a file are made, and not in every store yet."""
        return any(self._path(manifest, store).exists() for store in self._lacking(manifest))

    def make(self, path: Path, manifest: Manifest) -> None:
        """Write the companions of a file that every store has, for the stores that lack them.

        Nothing is made if the file is gone: a program without companions has delivered it.
        """
        for store in self._lacking(manifest):
            made = self._path(manifest, store)
            name = made.name.removesuffix(self._kind.suffix)
            try:
                if path.exists() and not made.exists():
                    with path.open("rb") as file:
                        write_whole(made, self._kind.content(file, name))
            except (OSError, StoryIndexerError) as error:
                log.error("companion not made", file=str(made), why=str(error))

    def upload(self, files: Iterable[tuple[Manifest, Callable[[], None]]]) -> None:
        """Upload the companions of files, each a manifest and a function that saves it.

        A store that fails once is left alone until the next call.
        """
        failed: set[str] = set()
        for manifest, save in files:
            for store in self._lacking(manifest):
                if store not in failed and self._path(manifest, store).exists():
                    try:
                        self._upload(manifest, store)
                        save()
                    except StorageError as error:
                        failed.add(store)
                        log.warning("companion not uploaded, yet", store=store, why=str(error))
            if not self._lacking(manifest):
                for store in self._stores:
                    self._path(manifest, store).unlink(missing_ok=True)

    def _upload(self, manifest: Manifest, store: str) -> None:
        made = self._path(manifest, store)
        with made.open("rb") as file:
            digest = sha256_of(file)
        # As a file of its own: nothing in the store that is not its upload is replaced.
        itself = Manifest(
            key=f"{key_in(manifest, store)}{self._kind.suffix}",
            size=made.stat().st_size,
            sha256=digest,
            sealed=manifest.sealed,
            items=[],
        )
        upload(made, itself, self._stores[store])
        manifest.companions.append(store)

    def _lacking(self, manifest: Manifest) -> list[str]:
        return [each for each in self._stores if each not in manifest.companions]

    def _path(self, manifest: Manifest, store: str) -> Path:
        # The object may have another name than the file: see `upload`.
        name = key_in(manifest, store).rpartition("/")[2]
        return self._state / f"{name}{self._kind.suffix}"
