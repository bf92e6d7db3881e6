"""Dryad, and the former repositories of the University of California (spec 10.6).

One DOI stands for all versions of a dataset, and nothing names one of them: the newest is taken,
and the name of the item has its number.
"""

from collections.abc import Iterator
from urllib.parse import quote, urljoin

from indexer.errors import FilesetError
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

_PREFIX = r"10\.(?:5061/dryad\.|(?:7280|5068|15146|7272)/)"
_DOI = rf"(?P<id>{_PREFIX}[^/\s]+)"
_PATHS = rules(
    {
        rf"/(?:stash/)?(?:dataset|resource|api/v2/datasets)/doi:{_DOI}/?": Kind.DATASET,
        rf"/(?:stash/)?(?:dataset|resource)/doi:{_DOI}/\d+/?": Kind.FILE,
        rf"/resource/doi:{_DOI}/\d+/bitstream": Kind.FILE,
        r"/(?:stash/)?downloads/file_stream/(?P<id>\d+)/?": Kind.FILE,
        r"/api/v2/files/(?P<id>\d+)(?:/download)?/?": Kind.FILE,
    }
)
_DOIS = rules({_DOI: Kind.DATASET, rf"{_DOI}/\d+": Kind.FILE})
_PUBLIC = ("published", "")


class Dryad(Platform):
    """Datasets of Dryad."""

    name = "dryad"

    def rules(self) -> Grammar:
        """A number behind the DOI is a file of the old Dryad."""
        return Grammar(
            self.name,
            self.api.options.dryad_url,
            paths=_PATHS,
            dois=_DOIS,
        )

    def item(self, reference: Reference) -> FilesetPlatformItem:
        """The newest version of a dataset."""
        base, doi = reference.base, reference.id.lower()
        if reference.kind is Kind.FILE:
            raise self.out_of_scope(f"a file of {doi}")
        dataset = self.api.get(f"{base}/api/v2/datasets/{quote(f'doi:{doi}', safe='')}")
        if dataset["visibility"].text not in ("public", ""):
            raise restricted(self.name, f"visibility {dataset['visibility'].text}")
        if dataset["curationStatus"].text.lower() not in _PUBLIC:
            raise restricted(self.name, dataset["curationStatus"].text)
        version = dataset["_links"]["stash:version"]["href"].needed
        number = dataset["versionNumber"].text or version.rpartition("/")[2]
        files = [_file(each, base) for each in self._files(urljoin(base, f"{version}/files"))]
        bundle = dataset["_links"]["stash:download"]["href"].text
        if files and not any(file.platform_url for file in files):
            raise FilesetError("error-authentication", "dryad: files only for users of its API")
        page = f"{base}/dataset/doi:{doi}"
        return self.made(
            reference,
            page,
            files,
            platform_id=doi,
            platform_version=number,
            platform_concept_id=doi,
            archiveorg_item_name=item_name(reference.host, doi.rpartition("/")[2], f"v{number}"),
            archiveorg_item_meta=item_metadata(
                creator=[
                    f"{each['lastName'].text}, {each['firstName'].text}".strip(", ")
                    for each in dataset["authors"].items
                ],
                doi=doi,
                title=dataset["title"].text,
                date=dataset["publicationDate"].text,
                source=page,
                description=dataset["abstract"].text,
                license=dataset["license"].text,
                version=number,
            ),
            web_bundle_url=urljoin(base, bundle) if bundle else None,
        )

    def _files(self, url: str) -> Iterator[JSONValue]:
        def following(page: JSONValue) -> str:
            href = page["_links"]["next"]["href"].text
            return urljoin(url, href) if href else ""

        for page in self.api.linked(f"{url}?per_page=100", following):
            for each in page["_embedded"]["stash:files"].items:
                if each["status"].text != "deleted":
                    yield each


def _file(file: JSONValue, base: str) -> FilesetManifestFile:
    href = file["_links"]["stash:download"]["href"].text
    return manifest_file(
        file["path"].needed,
        urljoin(base, href) if href else "",
        size=file["size"].size,
        hashes=hash_of(file["digest"].text, file["digestType"].text),
        mimetype=file["mimeType"].text,
        description=file["description"].text,
    )
