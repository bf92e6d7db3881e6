"""The directory of files on their way to blobstores."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import BinaryIO

from indexer.blobstore import Blobstore, sha256_of
from indexer.errors import AccessDenied, ConfigurationError, StorageError
from indexer.files.locks import FileLock, locked, try_lock
from indexer.files.whole_files import move_into_place, sync_file
from indexer.metrics import timer
from indexer.spool.companions import NONE, Companion, Companions
from indexer.spool.manifest import Manifest, upload
from indexer.system.loggers import get_logger
from indexer.system.patience import growing
from indexer.system.signals import pause

REMEMBER_SECONDS = 86_400.0
"""How long items of an adopted file are remembered: their messages come again in minutes."""

FIRST_PAUSE = 1.0
LONGEST_PAUSE = 60.0
"""Seconds between two attempts at an upload; each pause is twice the one before."""

RECENT_NAMES = 100
"""Names remembered, so that a name is not used again after its file has been moved away."""

UPLOAD = timer("upload", "bringing a file to a store, and looking whether it is there", "store")

log = get_logger()


@dataclass(frozen=True, slots=True)
class UnfinishedFile:
    """An unfinished file. Nothing in it counts until it is sealed."""

    name: str
    path: Path
    file: BinaryIO
    lock: FileLock

    def finish(self) -> None:
        """Write everything to disk, and close the file."""
        sync_file(self.file)
        self.file.close()


@dataclass(frozen=True, slots=True)
class _Sealed:
    """A complete file. `own`: this process made it, and learns when its messages are settled."""

    name: str
    manifest: Manifest
    lock: FileLock
    own: bool


class Spool:
    """A directory of files for all `stores`, by name. `keep`: delivered files stay there, too.

    `companion` is the kind of the small files that lie beside the files in their stores.

    `delivered` is called once for each file, when every store has it. Not thread-safe. Raises
    ConfigurationError if the directory can't be made. Methods raise OSError if it can't be written.
    """

    def __init__(
        self,
        directory: Path,
        stores: Mapping[str, Blobstore],
        *,
        keep: bool = True,
        companion: Companion = NONE,
        delivered: Callable[[str, Manifest], None] = lambda _name, _manifest: None,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], object] = pause,
    ) -> None:
        self._directory = directory
        self._state = directory / "spool"
        try:
            self._state.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigurationError(f"can't use {directory}: {error.strerror}") from error
        self._stores = stores
        self._companions = Companions(companion, self._state, stores)
        self._keep = keep
        self._delivered = delivered
        self._clock = clock
        self._sleep = sleep
        self._serial = 0
        self._sealed: list[_Sealed] = []
        self._known: set[str] = set()

    def __contains__(self, item: str) -> bool:
        """Whether an item is in a file that was adopted from a process that died."""
        return item in self._known

    def create(self, name_of: Callable[[int], str]) -> UnfinishedFile:
        """Start a file. Its name is the next serial's whose name was not used. Raises OSError."""
        with locked(self._state / "names"), (self._state / "names").open("a+b") as names:
            recent = _recent_names(names)
            serial = next(
                serial
                for serial in count(self._serial + 1)
                if self._is_free(name_of(serial), recent)
            )
            name = name_of(serial)
            names.write(f"{name}\n".encode())
            # Locked before `names` is released: `adopt` would take the file for abandoned.
            lock = try_lock(self._state / f"{name}.lock")
        if lock is None:
            raise OSError(f"{name}: another process locked it, though its lock file was missing")
        # So the next search starts behind it; serials of other processes are skipped.
        self._serial = serial
        path = self._directory / f"{name}.tmp"
        return UnfinishedFile(name, path, path.open("wb"), lock)

    def seal(self, aside: UnfinishedFile, key: str, items: Sequence[str]) -> None:
        """Seal a finished file: from now on it is kept until all stores have it under `key`."""
        with aside.path.open("rb") as file:
            manifest = Manifest(
                key=key,
                size=aside.path.stat().st_size,
                sha256=sha256_of(file),
                sealed=self._clock(),
                items=list(items),
            )
        # The manifest first: a file that has one is complete, and `adopt` does the renaming. A
        # complete file without a manifest would be forgotten, and its messages archived twice.
        sealed = _Sealed(aside.name, manifest, aside.lock, own=True)
        self._save(sealed)
        self._complete_rename(aside.name)
        self._sealed.append(sealed)

    def discard(self, aside: UnfinishedFile) -> None:
        """Delete a file that was not sealed."""
        aside.file.close()
        aside.path.unlink(missing_ok=True)
        aside.lock.remove()

    def adopt(self) -> None:
        """Take over the sealed files of processes that died; delete their unfinished ones."""
        with locked(self._state / "names"):
            for path in sorted(self._state.glob("*.lock")):
                lock = try_lock(path)
                if lock is not None:
                    self._take_over(path.name.removesuffix(".lock"), lock)

    def deliver(self, patience: float) -> None:
        """Upload all files to all stores. Failing uploads are tried again for `patience` seconds.

        Raises StorageError if a store still lacks a file, which is kept for the next call, and at
        once if a store refuses the credentials or the program is to stop.
        """
        deadline = self._clock() + patience
        pauses = growing(FIRST_PAUSE, LONGEST_PAUSE)
        while failures := self._deliver():
            left = deadline - self._clock()
            # Refused credentials don't become valid by waiting.
            if left <= 0 or any(isinstance(each, AccessDenied) for each in failures):
                raise failures[0]
            seconds = min(next(pauses), left)
            log.warning("upload failed", why=str(failures[0]), again_in=seconds)
            if self._sleep(seconds) is True:
                raise failures[0]
        self._companions.upload(
            (sealed.manifest, partial(self._save, sealed)) for sealed in self._sealed
        )

    def forget(self) -> None:
        """Remove the manifests of delivered files, as all their messages are settled.

        Adopted files are forgotten a day after they were sealed: nothing tells when the messages,
        which another process had received, are settled.
        """
        over = [each for each in self._sealed if self._is_over(each)]
        for sealed in over:
            self._known.difference_update(() if sealed.own else sealed.manifest.items)
            self._end(sealed.name, sealed.lock)
            self._sealed.remove(sealed)

    def close(self) -> None:
        """Release all files. The next process that opens the spool adopts them."""
        for sealed in self._sealed:
            sealed.lock.close()
        self._sealed.clear()

    def _take_over(self, name: str, lock: FileLock) -> None:
        manifest = Manifest.load(self._manifest(name))
        if manifest is None:
            (self._directory / f"{name}.tmp").unlink(missing_ok=True)
            lock.remove()
            return
        self._complete_rename(name)
        sealed = _Sealed(name, manifest, lock, own=False)
        # A file that every store has need not be here: without `keep` it was deleted.
        if self._lacking(sealed) and not self._is_intact(sealed):
            self._mark_damaged(sealed)
            return
        if not self._lacking(sealed):
            # The other process may have died before it made the companion.
            self._companions.make(self._directory / name, manifest)
        self._sealed.append(sealed)
        self._known.update(manifest.items)

    def _mark_damaged(self, sealed: _Sealed) -> None:
        """Rename a file that was damaged before its delivery. Its messages are delivered again."""
        log.error(
            "damaged before its upload: its messages will be archived again", file=sealed.name
        )
        with suppress(FileNotFoundError):
            path = self._directory / sealed.name
            path.replace(path.with_name(f"{sealed.name}.damaged"))
        self._end(sealed.name, sealed.lock)

    def _is_free(self, name: str, recent: set[str]) -> bool:
        taken = (self._directory / name, self._state / f"{name}.lock")
        return name not in recent and not any(path.exists() for path in taken)

    def _is_over(self, sealed: _Sealed) -> bool:
        old = self._clock() - sealed.manifest.sealed > REMEMBER_SECONDS
        done = not self._lacking(sealed) and not self._companions.wait(sealed.manifest)
        return done and (sealed.own or old)

    def _complete_rename(self, name: str) -> None:
        """Rename a file that has a manifest from its temporary name, if it still has that."""
        aside = self._directory / f"{name}.tmp"
        if aside.exists():
            move_into_place(aside, self._directory / name)

    def _is_intact(self, sealed: _Sealed) -> bool:
        try:
            with (self._directory / sealed.name).open("rb") as file:
                return sha256_of(file) == sealed.manifest.sha256
        except FileNotFoundError:
            return False

    def _deliver(self) -> list[StorageError]:
        """Try once to upload every file to every store that lacks it; returns the errors."""
        failures: list[StorageError] = []
        for sealed in self._sealed:
            lacking = self._lacking(sealed)
            for store in lacking:
                try:
                    self._upload(sealed, store)
                # The other stores still get the file: one that is down must not delay them.
                except StorageError as error:
                    failures.append(error)
            if lacking and not self._lacking(sealed):
                self._finish(sealed)
        return failures

    def _upload(self, sealed: _Sealed, store: str) -> None:
        manifest = sealed.manifest
        path = self._directory / sealed.name
        with UPLOAD.timing(store=store):
            manifest.stores[store] = upload(path, manifest, self._stores[store])
        self._save(sealed)

    def _finish(self, sealed: _Sealed) -> None:
        path = self._directory / sealed.name
        self._companions.make(path, sealed.manifest)
        if not self._keep:
            path.unlink(missing_ok=True)
        self._delivered(sealed.name, sealed.manifest)

    def _lacking(self, sealed: _Sealed) -> list[str]:
        return [store for store in self._stores if store not in sealed.manifest.stores]

    def _end(self, name: str, lock: FileLock) -> None:
        self._manifest(name).unlink(missing_ok=True)
        lock.remove()

    def _save(self, sealed: _Sealed) -> None:
        sealed.manifest.save(self._manifest(sealed.name))

    def _manifest(self, name: str) -> Path:
        return self._state / f"{name}.json"


def _recent_names(file: BinaryIO) -> set[str]:
    """The names used last; all older ones are removed. Leaves the file at its end."""
    file.seek(0)
    names = file.read().decode("utf-8", "replace").split("\n")[-RECENT_NAMES - 1 :]
    file.seek(0)
    file.truncate()
    file.write("\n".join(names).encode())
    return set(names)
