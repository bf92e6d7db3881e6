"""The files of a dataset, as the platform announced them and as they were verified."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec

RESTRICTED: Final = "platform-restricted"
"""The status of a file that the platform does not give to the public; `extra` says why."""

HASHES: Final = ("md5", "sha1", "sha256", "sha512")
"""The hashes of each archived file. The seed has no field for `sha512`: it is in `extra`."""


class FilesetManifestFile(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A file of a dataset; the fields are those of the seed. `size` is in bytes.

    `platform_url` is where the platform offers the file; `extra["fallback_url"]` is where to look
    if it doesn't serve it there. `terminal_url` and `terminal_dt` (14 digits, UTC) are where and
    when its bytes were read. `status` is a file status of `indexer.filesets.statuses`.
    """

    path: str
    size: int | None = None
    md5: str | None = None
    sha1: str | None = None
    sha256: str | None = None
    mimetype: str | None = None
    extra: dict[str, Any] | None = None
    status: str | None = None
    platform_url: str | None = None
    terminal_url: str | None = None
    terminal_dt: str | None = None

    @property
    def hashes(self) -> dict[str, str]:
        """The known hashes by name, in lower case."""
        found = {name: self._hash(name) for name in HASHES}
        return {name: digits.lower() for name, digits in found.items() if digits}

    def add_hashes(self, hashes: Mapping[str, str]) -> None:
        """Set hashes by name; those that are missing stay as they are."""
        for name, digits in hashes.items():
            if name == "sha512":
                self.add_extra(sha512=digits)
            else:
                setattr(self, name, digits)

    def add_extra(self, **values: Any) -> None:
        """Set values of `extra`; those that are None or empty are left out."""
        added = {name: each for name, each in values.items() if each not in (None, "", [], {})}
        if added:
            self.extra = (self.extra or {}) | added

    def _hash(self, name: str) -> str | None:
        if name != "sha512":
            found: str | None = getattr(self, name)
            return found
        digits = (self.extra or {}).get(name)
        return digits if isinstance(digits, str) else None


def total_size(manifest: Iterable[FilesetManifestFile]) -> int:
    """The bytes of all files; an unknown size counts as 0 (filesets.md 4.6)."""
    return sum(file.size or 0 for file in manifest)
