"""A dataset as its platform describes it: what a platform returns for a request."""

from typing import TypeAlias

import msgspec

from indexer.filesets.manifest import FilesetManifestFile, total_size

ItemMetadata: TypeAlias = dict[str, str | list[str]]
"""The metadata of an archive.org item by its names: `title`, `creator`, `licenseurl`…"""


class FilesetPlatformItem(msgspec.Struct, kw_only=True):
    """A dataset on a platform; the first names are those of the seed.

    `platform_status` is `success`, or the status of why not. `platform_id` names the version that
    was found, `platform_concept_id` all versions of the dataset, `platform_base_url` its landing
    page. `archiveorg_item_name` names the item that holds the files; it holds the version.
    `restricted` are the files that are not public: they are not in `manifest`.
    """

    platform_name: str
    platform_status: str
    platform_domain: str | None = None
    platform_id: str | None = None
    manifest: list[FilesetManifestFile] | None = None
    archiveorg_item_name: str | None = None
    archiveorg_item_meta: ItemMetadata | None = None
    web_base_url: str | None = None
    web_bundle_url: str | None = None
    platform_version: str | None = None
    platform_concept_id: str | None = None
    platform_base_url: str | None = None
    restricted: list[FilesetManifestFile] = []

    @property
    def files(self) -> list[FilesetManifestFile]:
        """The files of the manifest; none if the platform has told of none."""
        return self.manifest or []

    @property
    def total_size(self) -> int:
        """The bytes of all files; an unknown size counts as 0."""
        return total_size(self.files)
