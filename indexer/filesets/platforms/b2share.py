"""B2SHARE of EUDAT: records whose files are in buckets (spec 10.10)."""

from indexer.filesets.manifest import FilesetManifestFile
from indexer.filesets.platform_item import FilesetPlatformItem
from indexer.filesets.platforms.answers import JSONValue, hash_of
from indexer.filesets.platforms.items import (
    item_metadata,
    item_name,
    manifest_file,
    quoted,
    restricted,
)
from indexer.filesets.platforms.platform import Platform
from indexer.filesets.platforms.references import Grammar, Kind, Reference, rules

_ID = r"(?P<id>[0-9a-f]{32})"
_PATHS = rules({rf"/(?:api/)?records/{_ID}(?:/.*)?": Kind.DATASET})
_DOIS = rules({rf"10\.23728/b2share\.{_ID}": Kind.DATASET})


class B2Share(Platform):
    """Records of B2SHARE."""

    name = "b2share"

    def rules(self) -> Grammar:
        """Each version of a record has an id of its own."""
        return Grammar(
            self.name,
            self.api.options.b2share_url,
            paths=_PATHS,
            dois=_DOIS,
        )

    def item(self, reference: Reference) -> FilesetPlatformItem:
        """The record with its files."""
        record = self.api.get(f"{reference.base}/api/records/{reference.id}")
        metadata = record["metadata"]
        state = metadata["publication_state"].text
        if state not in ("published", ""):
            raise restricted(self.name, f"the record is {state}")
        if metadata["open_access"].is_false:
            raise restricted(self.name, "no open access", metadata["embargo_date"].text)
        page = f"{reference.base}/records/{reference.id}"
        texts = [each["description"].text for each in metadata["descriptions"].items]
        titles = [each["title"].text for each in metadata["titles"].items]
        return self.made(
            reference,
            page,
            [_file(each, reference.base) for each in record["files"].items],
            platform_id=reference.id,
            platform_version=metadata["version"].text or None,
            archiveorg_item_name=item_name(reference.host, reference.id),
            archiveorg_item_meta=item_metadata(
                creator=[each["creator_name"].text for each in metadata["creators"].items],
                doi=metadata["DOI"].text.removeprefix("https://doi.org/"),
                title=next(iter(titles), ""),
                date=metadata["publication_date"].text or record["created"].text[:10],
                source=page,
                description="<br>".join(filter(None, texts)),
                license=metadata["license"]["license_uri"].text,
                version=metadata["version"].text,
            ),
        )


def _file(file: JSONValue, base: str) -> FilesetManifestFile:
    key = file["key"].needed
    return manifest_file(
        key,
        f"{base}/api/files/{quoted(file['bucket'].needed)}/{quoted(key)}",
        size=file["size"].size,
        hashes=hash_of(file["checksum"].text),
    )
