"""Manifests: JSON files that describe a spooled file, and list the stores that have it."""

from pathlib import Path

import msgspec

from indexer.files.whole_files import write_whole


class Manifest(msgspec.Struct, kw_only=True):
    """A spooled file. `sealed` is in seconds since the epoch; `items` are the names of its items.

    `stores` has the URL of the object in each store that has the file, by the store's name.
    """

    key: str
    size: int
    sha256: str
    sealed: float
    items: list[str]
    stores: dict[str, str] = {}

    def save(self, path: Path) -> None:
        """Write the manifest to a file, whole or not at all, durably. Raises OSError."""
        write_whole(path, msgspec.json.format(msgspec.json.encode(self), indent=1))

    @classmethod
    def load(cls, path: Path) -> "Manifest | None":
        """The manifest in a file; None if the file is missing or no manifest."""
        try:
            return msgspec.json.decode(path.read_bytes(), type=cls)
        except (FileNotFoundError, msgspec.MsgspecError, UnicodeDecodeError):
            return None
