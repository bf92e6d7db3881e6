"""What a spooled file is, and where it has been brought: a JSON file beside it."""

from pathlib import Path

import msgspec

from indexer.files.whole_files import write_whole


class Manifest(msgspec.Struct, kw_only=True):
    """One file. `sealed` is in seconds since the epoch; `items` tells what is in it.

    `stores` has, for each store that has the file, the URL of the object.
    """

    key: str
    size: int
    sha256: str
    sealed: float
    items: list[str]
    stores: dict[str, str] = {}

    def save(self, path: Path) -> None:
        """Write it down, whole or not at all, durably."""
        write_whole(path, msgspec.json.format(msgspec.json.encode(self), indent=1))

    @classmethod
    def load(cls, path: Path) -> "Manifest | None":
        """What was saved; None if nothing was, or it can't be read."""
        try:
            return msgspec.json.decode(path.read_bytes(), type=cls)
        except (FileNotFoundError, msgspec.MsgspecError, UnicodeDecodeError):
            return None
