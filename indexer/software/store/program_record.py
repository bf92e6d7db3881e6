"""Configuration records: which program, with which rules, has made a row (spec 2.5)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

TRANSLATOR: Final = "swh-metadata-translator"
DETECTOR: Final = "swh-metadata-detector"
"""The names of our programs, as the seed has them."""

EXISTING: Final = "swh.indexer.metadata"
"""The name of the existing system, whose rows may be in the same tables."""


@dataclass(frozen=True, slots=True)
class ProgramRecord:
    """A record: name, version and settings of the program that makes a row.

    The version is that of the rules, not of the package: a release that changes no rule makes no
    row stale.
    """

    tool_name: str
    tool_version: str
    tool_configuration: Mapping[str, Any] = field(default_factory=dict)


def translator(class_name: str, version: int) -> ProgramRecord:
    """Return the record of the translation of a format: each format has its own version."""
    return ProgramRecord(TRANSLATOR, str(version), {"context": class_name})


def detector(version: str) -> ProgramRecord:
    """Return the record of a version of the rules that find manifests and merge them."""
    return ProgramRecord(DETECTOR, version)
