"""*.cabal: packages of Haskell."""

from indexer.software.readings.requirements import requirements
from indexer.software.rules.key_rule import KeyRule
from indexer.software.rules.manifest_format import ManifestFormat
from indexer.software.syntax.cabal import read_cabal

_SECTIONS = ("library", "executable", "common")
_SUGGESTED = ("test-suite", "benchmark")


CABAL = ManifestFormat(
    "cabal",
    "CabalMapping",
    ("*.cabal",),
    read_cabal,
    column="Cabal (Haskell)",
    rules=(
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
