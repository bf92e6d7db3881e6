"""The table of all formats, and the choice of a format by the name of a file."""

from collections.abc import Iterator

from indexer.software.formats.appstream import APPSTREAM
from indexer.software.formats.citation import CFF, ZENODO
from indexer.software.formats.codemeta import CODEMETA_JSON
from indexer.software.formats.conda import CONDA
from indexer.software.formats.debian import CONTROL
from indexer.software.formats.dotnet import NUSPEC
from indexer.software.formats.file_names import FileNames
from indexer.software.formats.haskell import CABAL
from indexer.software.formats.javascript import NPM
from indexer.software.formats.maven import MAVEN
from indexer.software.formats.perl import META, META_YML
from indexer.software.formats.plain import BOWER, COMPOSER, DENO, JULIA, PUBLICCODE, PUBSPEC
from indexer.software.formats.python import METADATA, PKG_INFO, PYPROJECT, SETUP_CFG
from indexer.software.formats.r import DESCRIPTION
from indexer.software.formats.ruby import GEMSPEC
from indexer.software.formats.rust import CARGO
from indexer.software.rules.manifest_format import ManifestFormat

FORMATS: tuple[ManifestFormat, ...] = (
    CODEMETA_JSON,
    CFF,
    ZENODO,
    PUBLICCODE,
    NPM,
    MAVEN,
    PYPROJECT,
    SETUP_CFG,
    GEMSPEC,
    COMPOSER,
    PUBSPEC,
    NUSPEC,
    CARGO,
    DESCRIPTION,
    JULIA,
    META,
    META_YML,
    CABAL,
    BOWER,
    DENO,
    CONDA,
    CONTROL,
    APPSTREAM,
    PKG_INFO,
    METADATA,
)
"""Every format of a project's own files, those that are trusted most first."""

_NAMES = FileNames(FORMATS)


def formats_of(path: str) -> Iterator[ManifestFormat]:
    """Yield each format that a file may have (spec 4).

    `path`: the name of a file in the root of a project, or a longer path; `debian/control` is found
    by its last two names.
    """
    return _NAMES.formats_of(path)
