"""The table of all mappings of the profile `compat`, and the translation by one of them."""

from collections.abc import Callable
from dataclasses import dataclass

from indexer.errors import UnreadableManifest
from indexer.software.compat.jsonld.node import Document
from indexer.software.compat.keys.key_table import KeyTable
from indexer.software.compat.mappings import (
    deposits,
    forges,
    notifications,
    packages,
    xml_manifests,
)
from indexer.software.compat.mappings.citation import CFF, translate_codemeta
from indexer.software.compat.mappings.gemspec import GEMSPEC
from indexer.software.compat.mappings.pkg_info import PKG_INFO
from indexer.software.rules.property import Diagnostics
from indexer.software.translation.translator import MAX_BYTES
from indexer.software.vocabulary.contexts import iri_of, terms

CODEMETA_TERMS = frozenset(iri_of(term.name) for term in terms("2.0").values())
"""The terms of mappings that pass CodeMeta on."""


@dataclass(frozen=True, slots=True)
class CompatMapping:
    """A mapping of the existing system.

    `files`: names, or `*` and an ending, of an intrinsic mapping; `formats`: of raw extrinsic
    metadata. `read`: bytes to a document; it raises UnreadableManifest. `yields`: IRIs of terms.
    """

    name: str
    class_name: str
    read: Callable[[bytes], Document]
    yields: frozenset[str]
    files: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()


def _keyed(name: str, class_name: str, table: KeyTable, *names: str) -> CompatMapping:
    return CompatMapping(name, class_name, table.translate, table.yields(), files=names)


def _forge(name: str, class_name: str, table: KeyTable, *formats: str) -> CompatMapping:
    return CompatMapping(name, class_name, table.translate, table.yields(), formats=formats)


MAPPINGS: tuple[CompatMapping, ...] = (
    _keyed("cff", "CffMapping", CFF, "CITATION.cff"),
    CompatMapping(
        "codemeta",
        "CodemetaMapping",
        translate_codemeta,
        CODEMETA_TERMS,
        files=("codemeta.json",),
    ),
    _keyed("composer", "ComposerMapping", packages.COMPOSER, "composer.json"),
    _keyed("gemspec", "GemspecMapping", GEMSPEC, "*.gemspec"),
    _keyed("maven", "MavenMapping", xml_manifests.MAVEN, "pom.xml"),
    _keyed("npm", "NpmMapping", packages.NPM, "package.json"),
    _keyed("nuget", "NuGetMapping", xml_manifests.NUGET, "*.nuspec"),
    _keyed("pubspec", "PubMapping", packages.PUBSPEC, "pubspec.yaml"),
    _keyed("pkg-info", "PythonPkginfoMapping", PKG_INFO, "PKG-INFO"),
    _forge("github", "GitHubMapping", forges.GITHUB, "application/vnd.github.v3+json"),
    _forge("gitea", "GiteaMapping", forges.GITEA, "gitea-repository-json", "gogs-repository-json"),
    CompatMapping(
        "sword-codemeta",
        "SwordCodemetaMapping",
        deposits.translate_entry,
        CODEMETA_TERMS,
        formats=("sword-v2-atom-codemeta", "sword-v2-atom-codemeta-v2"),
    ),
    CompatMapping(
        "json-sword-codemeta",
        "JsonSwordCodemetaMapping",
        deposits.translate_json_entry,
        CODEMETA_TERMS,
        formats=("sword-v2-atom-codemeta-v2-in-json",),
    ),
    CompatMapping(
        "coarnotify-mention-codemeta",
        "CoarNotifyMentionCodemetaMapping",
        notifications.translate_mention,
        frozenset(notifications.INVERSES.values()),
        formats=("coarnotify-mention-v1",),
    ),
)
"""Every mapping; the intrinsic ones in the order in which their documents are merged (spec 7)."""


def mapping_of(name: str) -> CompatMapping | None:
    """Return the mapping of a mapping name or a class name, or None."""
    return next((each for each in MAPPINGS if name in (each.name, each.class_name)), None)


def translate(
    content: bytes, mapping: CompatMapping, diagnostics: Diagnostics | None = None
) -> Document | None:
    """Return the document of a file, or None with a diagnostic. It never raises."""
    try:
        if len(content) > MAX_BYTES:
            raise UnreadableManifest(f"{len(content):,} bytes: above the limit of {MAX_BYTES:,}")
        return mapping.read(content)
    except (UnreadableManifest, RecursionError) as error:
        if diagnostics is not None:
            diagnostics.add("", str(error))
        return None
