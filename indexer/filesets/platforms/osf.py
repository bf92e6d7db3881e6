"""OSF: projects and registrations, whose folders are listed one by one (spec 10.5).

Only the files in the OSF's own storage belong to a dataset, not those of add-ons, and not those
of the components of a project, which have identifiers of their own.
"""

from collections.abc import Iterator

from indexer.filesets.manifest import FilesetManifestFile
from indexer.filesets.platform_item import FilesetPlatformItem
from indexer.filesets.platforms.answers import JSONValue, hash_of
from indexer.filesets.platforms.items import (
    item_metadata,
    item_name,
    manifest_file,
    restricted,
)
from indexer.filesets.platforms.platform import Platform
from indexer.filesets.platforms.references import Grammar, Kind, Reference, rules

_GUID = r"(?P<id>[a-z0-9]{5})"
_PATHS = rules(
    {
        rf"/{_GUID}/?": Kind.DATASET,
        rf"/{_GUID}/(?:wiki|registrations|metadata|overview|components)/?": Kind.DATASET,
        rf"/{_GUID}/files/?(?:osfstorage/?)?": Kind.DATASET,
        rf"/{_GUID}/files/.+": Kind.FILE,
        r"/download/(?P<id>[a-z0-9]{5,24})/?": Kind.FILE,
        rf"/(?:registries/[a-z0-9]+|v2/(?:nodes|registrations|guids))/{_GUID}/?": Kind.DATASET,
        rf"/preprints/(?:[a-z0-9]+/)?{_GUID}(?:_v\d+)?/?": Kind.ARTICLE,
    }
)
_DOIS = rules(
    {
        rf"10\.17605/osf\.io/{_GUID}": Kind.DATASET,
        rf"10\.312\d\d/osf\.io/{_GUID}(?:_v\d+)?": Kind.ARTICLE,
    }
)
_TYPES = ("nodes", "registrations")
_MAX_FOLDERS = 1000


class OSF(Platform):
    """Projects and registrations of OSF."""

    name = "osf"

    def rules(self) -> Grammar:
        """Identifiers have five characters; preprints are articles with files of their own."""
        return Grammar(
            self.name,
            self.api.options.osf_url,
            paths=_PATHS,
            dois=_DOIS,
        )

    def item(self, reference: Reference) -> FilesetPlatformItem:
        """The files of a project as it is, or of a registration, which never changes."""
        service, guid = self.api.options.osf_api_url, reference.id.lower()
        if reference.kind is not Kind.DATASET:
            raise self.out_of_scope(f"{guid} is no project, but an OSF {reference.kind}")
        kind = self.api.get(f"{service}/guids/{guid}/")["data"]["type"].needed
        if kind not in _TYPES:
            raise self.out_of_scope(f"{guid} is one of {kind}, not a project")
        node = self.api.get(
            f"{service}/{kind}/{guid}/?embed=license&embed=bibliographic_contributors"
        )
        data = node["data"]["attributes"]
        if data["public"].is_false or data["withdrawn"].is_true:
            raise restricted(self.name, f"{guid} is private or withdrawn")
        # A project has no versions, but changes: the day of its last change tells states apart.
        changed = data["date_modified"].text[:10]
        version = changed if kind == "nodes" else ""
        root = f"{service}/{kind}/{guid}/files/osfstorage/?page[size]=100"
        page = f"{reference.base}/{guid}/"
        return self.made(
            reference,
            page,
            [_file(each) for each in self._files(root)],
            platform_id=guid,
            platform_version=version or None,
            platform_concept_id=guid,
            archiveorg_item_name=item_name(reference.host, guid, version and f"v{version}"),
            archiveorg_item_meta=item_metadata(
                creator=_creators(node["data"]),
                doi=next((doi for doi in reference.evidence.dois if "osf.io" in doi), ""),
                title=data["title"].text,
                date=data["date_created"].text[:10],
                source=page,
                description=data["description"].text,
                license=node["data"]["embeds"]["license"]["data"]["attributes"]["url"].text,
                version=version,
            ),
            web_bundle_url=f"{self.api.options.osf_files_url}/resources/{guid}/providers/osfstorage/?zip=",
        )

    def _files(self, root: str) -> Iterator[JSONValue]:
        """The files of all folders, as many as a manifest may have."""
        folders, count, at = [root], 0, 0
        while at < len(folders) < _MAX_FOLDERS and count <= self.api.options.max_manifest:
            for page in self.api.linked(folders[at], lambda page: page["links"]["next"].text):
                for each in page["data"].items:
                    if each["attributes"]["kind"].text == "folder":
                        related = each["relationships"]["files"]["links"]["related"]
                        folders.append(related["href"].needed)
                    else:
                        count += 1
                        yield each
            at += 1


def _file(file: JSONValue) -> FilesetManifestFile:
    data = file["attributes"]
    hashes = data["extra"]["hashes"].members
    path = data["materialized_path"].text or data["name"].needed
    return manifest_file(
        path.removeprefix("/"),
        file["links"]["download"].text,
        size=data["size"].size,
        hashes={
            name: each
            for key, text in hashes.items()
            for name, each in hash_of(text.text, key).items()
        },
        version=data["current_version"].text,
    )


def _creators(node: JSONValue) -> list[str]:
    found = node["embeds"]["bibliographic_contributors"]["data"].items
    users = [each["embeds"]["users"]["data"]["attributes"] for each in found]
    return [name for each in users if (name := each["full_name"].text)]
