"""The formats of extrinsic metadata, by the names that raw metadata give them (spec 4)."""

from collections.abc import Mapping

from indexer.software.rules.manifest_format import ManifestFormat

EXTRINSIC: Mapping[str, tuple[ManifestFormat, ...]] = {}
"""Every format of raw metadata, such as `gitea-repository-json`, and what reads it."""
