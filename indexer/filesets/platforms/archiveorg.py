"""Items of archive.org (spec 4.5, 10.4): nothing is to be archived, the files are only listed.

The URL says which item it is, so the page is not fetched.
"""

from typing import Final
from urllib.parse import quote

from indexer.errors import FilesetError
from indexer.filesets.manifest import FilesetManifestFile
from indexer.filesets.platform_item import FilesetPlatformItem
from indexer.filesets.platforms.answers import JSONValue, hash_of
from indexer.filesets.platforms.items import closed, manifest_file, restricted
from indexer.filesets.platforms.platform import Platform
from indexer.filesets.platforms.references import Grammar, Kind, Reference, rules

_ITEM = r"(?P<id>[A-Za-z0-9][A-Za-z0-9._-]{1,99})"
_PATHS = rules(
    {
        rf"/(?:details|download|metadata|embed)/{_ITEM}/?": Kind.DATASET,
        rf"/(?:details|download|metadata|embed)/{_ITEM}/.+": Kind.FILE,
    }
)

_MADE_BY_THE_ARCHIVE = (
    *("_meta.sqlite", "_archive.torrent", "_itemimage.jpg", "_meta.xml", "_thumb.png"),
    *("_files.xml", "_reviews.xml"),
)
_TORRENTS = "academictorrents_"
_MADE_FOR_TORRENTS = ("_academictorrents.torrent", "_academictorrents_torrent.txt", ".bib")

MIMETYPES: Final = {
    "BZIP": "application/x-bzip",
    "BZIP2": "application/x-bzip2",
    "ZIP": "application/zip",
    "GZIP": "application/gzip",
    "RAR": "application/vnd.rar",
    "TAR": "application/x-tar",
    "7z": "application/x-7z-compressed",
    "HTML": "text/html",
    "Text": "text/plain",
    "PDF": "application/pdf",
    "CSV": "text/csv",
    "XML": "application/xml",
    "JSON": "application/json",
    "MP3": "audio/mpeg",
    "MP4": "video/mp4",
    "MPEG": "video/mpeg",
    "JPEG": "image/jpeg",
    "GIF": "image/gif",
    "PNG": "image/png",
    "TIFF": "image/tiff",
}
"""The media types of the archive's names of formats; for other formats the bytes tell the type."""


class ArchiveOrg(Platform):
    """Items of archive.org."""

    name = "archiveorg"
    reads_page = False

    def rules(self) -> Grammar:
        """`/details/@name` is a user, `/details/item/file` a file."""
        return Grammar(self.name, self.api.options.archiveorg_url, paths=_PATHS)

    def item(self, reference: Reference) -> FilesetPlatformItem:
        """The original files of an item."""
        id = reference.id
        if reference.kind is Kind.FILE:
            raise self.out_of_scope(f"a file of the item {id}")
        found = self.api.get(f"{reference.base}/metadata/{id}")
        if not found:
            raise FilesetError("platform-404", f"archive.org: no item {id}")
        if found["is_dark"].is_true:
            raise restricted(self.name, f"the item {id} is dark")
        metadata = found["metadata"]
        if metadata["mediatype"].text in ("collection", "web"):
            raise self.out_of_scope(f"{id} has the media type {metadata['mediatype'].text}")
        if metadata["access-restricted-item"].is_true:
            raise restricted(self.name, f"the item {id} is lent only")
        if "files" not in found:
            raise FilesetError("platform-error", f"archive.org: the item {id} has no list of files")
        uploaded = (each for each in found["files"].items if is_uploaded(each, id))
        manifest = [_file(each, reference.base, id) for each in uploaded]
        return self.made(
            reference,
            f"{reference.base}/details/{id}",
            manifest,
            platform_id=id,
            archiveorg_item_name=id,
            archiveorg_item_meta={
                name: texts[0] if len(texts) == 1 else texts
                for name, each in metadata.members.items()
                if (texts := [text for one in each.one_or_more if (text := one.text)])
            },
        )


def is_uploaded(file: JSONValue, id: str) -> bool:
    """Whether a file was uploaded, and neither made nor replaced by the archive.

    Raises FilesetError (`platform-error`) for a file without a name.
    """
    name = _name(file)
    if file["old_version"].is_true or name.startswith("history/files/"):
        return False
    made = {stem + ending for stem in (id, id.lower()) for ending in _MADE_BY_THE_ARCHIVE}
    if id.startswith(_TORRENTS) and name.endswith(_MADE_FOR_TORRENTS):
        return False
    return file["source"].text == "original" and name not in made and not name.startswith("_")


def _name(file: JSONValue) -> str:
    """The name of a file, which may be blank: U+2028."""
    return file["name"].text or file["name"].needed


def _file(file: JSONValue, base: str, id: str) -> FilesetManifestFile:
    name = _name(file)
    hashes = {
        key: found for key in ("md5", "sha1") for found in hash_of(file[key].text, key).values()
    }
    found = manifest_file(
        name,
        f"{base}/download/{id}/{quote(name)}",
        size=file["size"].size,
        hashes=hashes,
        mimetype=MIMETYPES.get(file["format"].text, ""),
    )
    return closed(found, "private") if file["private"].is_true else found
