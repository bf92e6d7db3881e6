"""Releases of GitHub repositories: their assets, not the source archives (spec 10.9).

GitHub packs source archives anew for each request, so no hash of them is certain.
"""

from urllib.parse import quote

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

_OWNER = (
    r"(?!(?:orgs|topics|features|search|about|settings|sponsors|marketplace|collections)/)[^/]+"
)
_REPOSITORY = rf"/(?P<id>{_OWNER}/[^/]+?)(?:\.git)?"
_PATHS = rules(
    {
        rf"{_REPOSITORY}/releases/tag/(?P<version>.+?)/?": Kind.DATASET,
        rf"{_REPOSITORY}/releases/download/(?P<version>.+)/[^/]+": Kind.FILE,
        rf"{_REPOSITORY}/(?:archive|tree|raw|blob|zipball|tarball)/.+": Kind.FILE,
        rf"{_REPOSITORY}(?:/releases(?:/latest)?)?/?": Kind.DATASET,
    }
)
_PAGE = 100


class GitHub(Platform):
    """Releases of GitHub."""

    name = "github"

    def rules(self) -> Grammar:
        """A repository, and its list of releases, stand for all of its releases."""
        return Grammar(self.name, self.api.options.github_url, paths=_PATHS)

    # Owners have no "_" in their names, so no two repositories share a name of an item.
    def item(self, reference: Reference) -> FilesetPlatformItem:
        """The assets of the release with a tag."""
        repository = f"{self.api.options.github_api_url}/repos/{quote(reference.id)}"
        if reference.kind is Kind.FILE:
            of = f", release {reference.version}" if reference.version else ""
            raise self.out_of_scope(f"a file of {reference.id}{of}")
        tag = reference.version or self._tag(repository, reference.id)
        release = self.api.get(f"{repository}/releases/tags/{quote(tag, safe='')}")
        if release["draft"].is_true:
            raise restricted(self.name, f"release {tag} is a draft")
        assets = self.api.pages(f"{repository}/releases/{release['id'].needed}/assets", _PAGE)
        page = (
            release["html_url"].text or f"{reference.base}/{reference.id}/releases/tag/{quote(tag)}"
        )
        return self.made(
            reference,
            page,
            [_file(each) for each in assets if each["state"].text in ("uploaded", "")],
            platform_id=f"{reference.id}@{tag}",
            platform_version=tag,
            platform_concept_id=reference.id,
            archiveorg_item_name=item_name(reference.host, reference.id.replace("/", "_"), tag),
            archiveorg_item_meta=item_metadata(
                creator=reference.id.partition("/")[0],
                title=release["name"].text or f"{reference.id} {tag}",
                date=release["published_at"].text[:10],
                source=page,
                description=release["body"].text,
                version=tag,
            ),
        )

    def _tag(self, repository: str, id: str) -> str:
        """The tag of the only public release, or of the newest."""
        releases = self.api.get(f"{repository}/releases?per_page={_PAGE}").items
        tags = [each["tag_name"].needed for each in releases if not each["draft"].is_true]
        return self.one_version(id, tags[::-1])


def _file(asset: JSONValue) -> FilesetManifestFile:
    return manifest_file(
        asset["name"].needed,
        asset["browser_download_url"].text,
        size=asset["size"].size,
        hashes=hash_of(asset["digest"].text),
        mimetype=asset["content_type"].text,
        description=asset["label"].text,
    )
