"""What a strategy takes and returns; the names are those of the seed."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, BinaryIO, NamedTuple, Protocol, TypeAlias

from indexer.errors import FilesetError
from indexer.filesets.manifest import FilesetManifestFile
from indexer.filesets.platform_item import FilesetPlatformItem
from indexer.filesets.statuses import SUCCESS, SUCCESS_FILE
from indexer.filesets.strategies.choosing import StrategyName

FileMeta: TypeAlias = dict[str, Any]


class FileProgress(NamedTuple):
    """Where an ingest stands: the number of the file, of how many; its bytes, of how many."""

    number: int
    files: int
    path: str
    done: int
    size: int | None


Watch: TypeAlias = Callable[[FileProgress], None]
"""Called while files are transferred; may raise to stop, and a later ingest goes on."""


@dataclass(slots=True)
class ArchiveStrategyResult:
    """How the files of a dataset were archived, or the status and the message of why not.

    `wait`: the seconds until the next try, as a server has named them.
    """

    ingest_strategy: StrategyName
    status: str
    manifest: list[FilesetManifestFile]
    message: str = ""
    wait: float | None = None
    file_file_meta: FileMeta | None = None
    file_terminal: dict[str, Any] | None = None
    file_cdx: dict[str, Any] | None = None
    file_revisit_cdx: dict[str, Any] | None = None
    bundle_file_meta: FileMeta | None = None
    bundle_terminal: dict[str, Any] | None = None
    bundle_cdx: dict[str, Any] | None = None
    bundle_revisit_cdx: dict[str, Any] | None = None
    bundle_archiveorg_path: str | None = None


@dataclass(slots=True)
class ArchiveJob:
    """A dataset to archive: its strategy, and the evidence of how it was found.

    `checked`: a value by which a strategy's `check_existing` spares its `process` the same work.
    """

    item: FilesetPlatformItem
    strategy: StrategyName
    evidence: BinaryIO
    checked: object = None

    @property
    def success(self) -> str:
        """The status of the job when its files are archived."""
        return SUCCESS_FILE if self.strategy.is_file else SUCCESS

    @property
    def item_name(self) -> str:
        """The name of the item. Raises FilesetError if the platform has given none."""
        if not self.item.archiveorg_item_name:
            raise FilesetError("platform-error", "the dataset has no name for its item")
        return self.item.archiveorg_item_name


class FilesetIngestStrategy(Protocol):
    """A way to archive a dataset (filesets.md 4.1)."""

    def check_existing(self, job: ArchiveJob) -> ArchiveStrategyResult | None:
        """The result if all files are archived already; else None. Raises FilesetError."""

    def process(self, job: ArchiveJob, watch: Watch) -> ArchiveStrategyResult:
        """Archive what is missing. A failure is a status of the result."""


def file_meta(file: FilesetManifestFile) -> FileMeta:
    """The facts of a file by the names of `file_meta` in results (filesets.md 3.4)."""
    return {
        "size_bytes": file.size,
        "md5hex": file.md5,
        "sha1hex": file.sha1,
        "sha256hex": file.sha256,
        "mimetype": file.mimetype,
    }


def file_terminal(file: FilesetManifestFile) -> dict[str, Any]:
    """Where a file was read, by the names of `terminal` in results."""
    return {
        "terminal_url": file.terminal_url or file.platform_url,
        "terminal_dt": file.terminal_dt,
        "terminal_status_code": 200,
        "terminal_sha1hex": file.sha1,
    }


def reporter(
    watch: Watch, file: FilesetManifestFile, number: int, files: int
) -> Callable[[int, int | None], None]:
    """The progress of one file, as a function of its bytes so far and of all."""
    return lambda done, size: watch(
        FileProgress(number, files, file.path, done, size if file.size is None else file.size)
    )
