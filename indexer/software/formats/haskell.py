"""*.cabal: packages of Haskell."""

from types import MappingProxyType

from indexer.software.readings.licences import licences
from indexer.software.readings.requirements import requirements
from indexer.software.readings.texts import texts
from indexer.software.rules.key_rule import KeyRule, Readings
from indexer.software.rules.manifest_format import ManifestFormat
from indexer.software.rules.property import Diagnostics
from indexer.software.syntax.cabal import read_cabal
from indexer.software.syntax.tree import Tree

LICENCES = MappingProxyType(
    {
        **{"BSD2": "BSD-2-Clause", "BSD3": "BSD-3-Clause", "BSD4": "BSD-4-Clause"},
        **{"GPL-2": "GPL-2.0-only", "GPL-3": "GPL-3.0-only", "AGPL-3": "AGPL-3.0-only"},
        **{"LGPL-2.1": "LGPL-2.1-only", "LGPL-3": "LGPL-3.0-only", "MPL-2": "MPL-2.0"},
    }
)
"""SPDX identifiers of the names of licences before version 2.2 of the format."""

_SECTIONS = ("library", "executable", "common")
_SUGGESTED = ("test-suite", "benchmark")


def licence(value: Tree, place: str, diagnostics: Diagnostics) -> Readings:
    """Yield the licence, in the old names and as SPDX."""
    for text, where in texts(value, place, diagnostics):
        yield from licences(LICENCES.get(str(text), str(text)), where, diagnostics)


CABAL = ManifestFormat(
    "cabal",
    "CabalMapping",
    ("*.cabal",),
    read_cabal,
    column="Cabal (Haskell)",
    rules=(
        KeyRule("license", "license", licence),
        KeyRule("author", "author"),
        KeyRule("copyright", "schema:copyrightNotice"),
        KeyRule("tested-with", "runtimePlatform"),
        KeyRule("source-repository/location", "codeRepository"),
        *(
            KeyRule(f"{section}/build-depends", term, requirements("hackage"))
            for names, term in (
                (_SECTIONS, "softwareRequirements"),
                (_SUGGESTED, "softwareSuggestions"),
            )
            for section in names
        ),
        KeyRule("build-depends", "softwareRequirements", requirements("hackage")),
    ),
    without=frozenset({"license-file", "license-files"}),
)
