"""Formats of metadata from outside of a project, by their format strings (spec 4)."""

from collections.abc import Mapping
from types import MappingProxyType

from indexer.software.formats.extrinsic.deposits import COAR_MENTION, JSON_SWORD, SWORD
from indexer.software.formats.extrinsic.forges import GITEA, GITHUB
from indexer.software.rules.manifest_format import ManifestFormat

EXTRINSIC: Mapping[str, ManifestFormat] = MappingProxyType(
    {
        "application/vnd.github.v3+json": GITHUB,
        "gitea-repository-json": GITEA,
        "gogs-repository-json": GITEA,
        "sword-v2-atom-codemeta": SWORD,
        "sword-v2-atom-codemeta-v2": SWORD,
        "sword-v2-atom-codemeta-v2-in-json": JSON_SWORD,
        "coarnotify-mention-v1": COAR_MENTION,
    }
)
"""The format of each format string."""
