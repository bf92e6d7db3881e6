"""Zenodo, and all repositories of its software InvenioRDM (spec 4.4, 10.1).

Records come in four shapes: the legacy one, with a bucket; that of days in October 2023; today's,
which looks like the legacy one; and the native one of InvenioRDM.
"""

from collections.abc import Iterator
from dataclasses import replace

from indexer.filesets.manifest import FilesetManifestFile
from indexer.filesets.platform_item import FilesetPlatformItem, ItemMetadata
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

_ID = r"(?P<id>\d+|[a-z0-9]{5}-[a-z0-9]{5})"
_PATHS = rules(
    {
        rf"/(?:api/)?records?/{_ID}(?:[/?#].*)?": Kind.DATASET,
        r"/(?:badge/)?doi/10\.(?:5281|5072)/zenodo\.(?P<id>\d+)(?:\.svg)?/?": Kind.DATASET,
    }
)
# A record with metadata only has no files that anything could restrict.
_OPEN = ("", "open", "metadata-only")
_DOIS = rules({r"10\.(?:5281|5072)/zenodo\.(?P<id>\d+)": Kind.DATASET})


class Zenodo(Platform):
    """Records of Zenodo and of other sites with InvenioRDM."""

    name = "zenodo"
    software = "inveniordm"

    def rules(self) -> Grammar:
        """`/record/N` is the form up to 2023; other sites have ids such as `8d5a1-nmx34`."""
        return Grammar(
            self.name,
            self.api.options.zenodo_url,
            paths=_PATHS,
            dois=_DOIS,
            portals=True,
            anywhere=True,
        )

    def probe(self, reference: Reference) -> bool:
        """Whether the site has InvenioRDM's search."""
        found = self.api.found(f"{reference.base}/api/records?size=1")
        return found is not None and isinstance(found["hits"]["hits"].value, list)

    def item(self, reference: Reference) -> FilesetPlatformItem:
        """The record of a version; a concept, which has all versions, is refused or resolved."""
        record = self.api.get(f"{reference.base}/api/records/{reference.id}")
        id = record["id"].needed
        concept = record["conceptrecid"].text or record["parent"]["id"].text
        if concept == id:
            versions = self._versions(reference.base, id)[:-1]
            # A version that is a concept again could lead in a circle.
            if not versions or reference.version:
                raise self.out_of_scope(f"record {id} stands for all its versions")
            newest = self.one_version(f"record {id}", versions)
            return self.item(replace(reference, id=newest, version=newest))
        if id != reference.id:
            # The API redirects from a concept to its newest version.
            self.one_version(f"record {reference.id}", self._versions(reference.base, id))
        _check_access(record)
        manifest = [
            _file(each, key, reference.base, id)
            for key, each in self._files(record, reference.base, id)
        ]
        links = record["links"]
        page = links["html"].text or links["self_html"].text or f"{reference.base}/records/{id}"
        return self.made(
            reference,
            page,
            manifest,
            platform_id=id,
            platform_version=_version(record),
            platform_concept_id=concept or None,
            archiveorg_item_name=item_name(reference.host, id),
            archiveorg_item_meta=_metadata(record, page),
            web_bundle_url=f"{reference.base}/api/records/{id}/files-archive",
        )

    def _versions(self, base: str, id: str) -> list[str]:
        """The ids of all versions, the newest last."""
        found = self.api.found(f"{base}/api/records/{id}/versions")
        hits = found["hits"]["hits"].items if found else []
        ids = [each["id"].text for each in hits]
        return [*[each for each in reversed(ids) if each and each != id], id]

    def _files(self, record: JSONValue, base: str, id: str) -> Iterator[tuple[str, JSONValue]]:
        """The files with their keys, in each shape of a record."""
        files = record["files"]
        if isinstance(files.value, dict) and files["enabled"].is_false:
            return
        entries = files["entries"] if isinstance(files.value, dict) else files
        if isinstance(files.value, dict) and entries.value is None:
            # The native shape leaves out the entries of large records.
            entries = self.api.get(f"{base}/api/records/{id}/files")["entries"]
        if isinstance(entries.value, dict):
            yield from entries.members.items()
            return
        for each in entries.items:
            yield each["key"].text or each["filename"].needed, each


def _file(file: JSONValue, key: str, base: str, id: str) -> FilesetManifestFile:
    # The links of the older shapes are dead, so all URLs are built of id and key.
    url = f"{base}/api/records/{id}/files/{quoted(key)}/content"
    size = file["size"].size if "size" in file else file["filesize"].size
    hashes = hash_of(file["checksum"].text)
    return manifest_file(key, url, size=size, hashes=hashes, mimetype=file["mimetype"].text)


def _check_access(record: JSONValue) -> None:
    """Raise FilesetError (`platform-restricted`) unless the files are public."""
    access, metadata = record["access"], record["metadata"]
    right = metadata["access_right"].text or access["status"].text
    if right in _OPEN and access["files"].text in ("", "public"):
        return
    until = metadata["embargo_date"].text or access["embargo"]["until"].text
    conditions = metadata["access_conditions"].text or access["embargo"]["reason"].text
    raise restricted("zenodo", right or "restricted", until and f"until {until}", conditions)


def _version(record: JSONValue) -> str | None:
    index = record["versions"]["index"].text
    return record["metadata"]["version"].text or index or None


def _metadata(record: JSONValue, page: str) -> ItemMetadata:
    metadata = record["metadata"]
    creators = [
        each["name"].text or each["person_or_org"]["name"].text
        for each in metadata["creators"].items
    ]
    doi = record["doi"].text or metadata["doi"].text or record["pids"]["doi"]["identifier"].text
    rights = [each["props"]["url"].text or each["id"].text for each in metadata["rights"].items]
    license = metadata["license"]
    return item_metadata(
        creator=[each for each in creators if each],
        doi=doi,
        title=metadata["title"].text or record["title"].text,
        date=metadata["publication_date"].text,
        source=page,
        description=metadata["description"].text,
        license=license["id"].text or license.text or next(iter(rights), ""),
        version=record["revision"].text or record["revision_id"].text,
    )
