"""A dataset of an imitation repository: what its platform knows, and the truth about its files."""

from dataclasses import dataclass, field
from enum import StrEnum

from newsroom.repositories.content import Content


class State(StrEnum):
    """What a platform allows to everyone."""

    OPEN = "open"
    RESTRICTED = "restricted"
    EMBARGOED = "embargoed"
    CONFIDENTIAL = "confidential"
    METADATA_ONLY = "metadata-only"
    DRAFT = "draft"
    GONE = "gone"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class File:
    """A file, by the path that the platform names; folders are parts of it.

    `checksum` is the kind of hash that the platform tells, "" for none; `told` replaces the hash:
    a platform may be wrong. `ingested` is what Dataverse made of an uploaded table.
    """

    path: str
    content: Content
    mimetype: str = "application/octet-stream"
    checksum: str = "md5"
    told: str = ""
    restricted: bool = False
    is_link: bool = False
    ingested: "File | None" = None

    @property
    def size(self) -> int:
        return self.content.size

    @property
    def told_hash(self) -> str:
        """The hash that the platform tells; "" if it tells none."""
        return (self.told or self.content.hash(self.checksum)) if self.checksum else ""

    @property
    def folder(self) -> str:
        return self.path.rpartition("/")[0]

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Dataset:
    """One version of a dataset.

    `concept` is the id of all versions together, where a platform has such ids; `shape` is a form
    of its JSON. `expect` is the status of its ingest into a directory, by its own DOI or page and
    with default limits. `serial` is its number in the catalogue.
    """

    platform: str
    id: str
    title: str
    files: tuple[File, ...] = ()
    doi: str = ""
    version: str = "1"
    concept: str = ""
    concept_doi: str = ""
    shape: str = ""
    host: str = ""
    kind: str = "dataset"
    state: State = State.OPEN
    reason: str = ""
    until: str = ""
    license: str = "cc-by-4.0"
    date: str = "2024-03-15"
    creators: tuple[str, ...] = ("Okonjo, Adaeze", "Lindqvist, Bo")
    description: str = "<p>Readings of a made-up river; no such river exists.</p>"
    expect: str = "success"
    serial: int = field(default=0, compare=False)

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)

    def key(self, file: File) -> str:
        """The name of a file in the log of requests."""
        return f"{self.platform}/{self.id}/{self.version}/{file.path}"
