"""Configuration records: which program, with which rules, has made a row (spec 2.5)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from indexer.software.rules.manifest_format import ManifestFormat

TRANSLATOR: Final = "swh-metadata-translator"
DETECTOR: Final = "swh-metadata-detector"
"""The names of the programs, as the seed has them."""


@dataclass(frozen=True, slots=True)
class ProgramRecord:
    """A record: name, version and settings of the program that makes a row.

    The version is that of the rules, not of the package: a release that changes no rule makes no
    row stale.
    """

    tool_name: str
    tool_version: str
    tool_configuration: Mapping[str, Any] = field(default_factory=dict)


def translator_of(form: ManifestFormat) -> ProgramRecord:
    """Return the record of the translation of a format: each format has its own version."""
    return ProgramRecord(TRANSLATOR, str(form.version), {"context": form.class_name})


def detector(version: int) -> ProgramRecord:
    """Return the record of the choice and merging of an origin's files, of a version of ours."""
    return ProgramRecord(DETECTOR, str(version))
