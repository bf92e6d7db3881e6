"""Dataverse: any site with its software, recognised by persistent identifiers (spec 4.2, 10.3).

A PID names a dataset or a file in it. A grammar tells them apart where it can, else the API does.
"""

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import quote

from indexer.errors import FilesetError
from indexer.filesets.manifest import FilesetManifestFile
from indexer.filesets.platform_item import FilesetPlatformItem, ItemMetadata
from indexer.filesets.platforms.answers import JSONValue, hash_of
from indexer.filesets.platforms.dataverse_pids import (
    DATABASE_ID,
    dataset_of_file,
    kind_of_pid,
    normal_pid,
    upper_pid,
)
from indexer.filesets.platforms.items import (
    closed,
    item_metadata,
    item_name,
    manifest_file,
    restricted,
)
from indexer.filesets.platforms.platform import Platform
from indexer.filesets.platforms.references import Grammar, Kind, Reference, WebURL

SITES: Final = {
    "10.7910/dvn/": "https://dataverse.harvard.edu",
    "10.5683/": "https://borealisdata.ca",
    "10.18710/": "https://dataverse.no",
    "10.34894/": "https://dataverse.nl",
    "10.57745/": "https://entrepot.recherche.data.gouv.fr",
    "10.26193/": "https://dataverse.ada.edu.au",
    "10.15139/s3/": "https://dataverse.unc.edu",
    "10.11588/data/": "https://heidata.uni-heidelberg.de",
    "10.18738/t8/": "https://dataverse.tdl.org",
    "10.18419/darus-": "https://darus.uni-stuttgart.de",
    "10.48804/": "https://rdr.kuleuven.be",
}
"""Prefixes of DOIs, and the site that has them. Others are found by the redirects of their DOIs."""

_FILE_PAGES = ("/file.xhtml", "/api/access/datafile", "/api/files")
_PAGES = re.compile(
    r"/(?:dataset|datasetversion|file)\.xhtml|/citation|/api/(?:datasets|access|files)/.*",
    re.IGNORECASE,
)


class Dataverse(Platform):
    """Datasets of all sites with Dataverse."""

    name = software = "dataverse"

    def rules(self) -> Grammar:
        """Only DOIs of known sites are certain; URLs are read by `of_url`."""
        return Grammar(self.name, anywhere=True)

    def of_url(self, url: WebURL) -> Reference | None:
        """What `?persistentId=`, `?id=` or `?fileId=` names, on any host."""
        query = url.query
        pid = normal_pid(query.get("persistentid", ""))
        is_page = _PAGES.fullmatch(url.path) is not None
        database_id = query.get("id", "") or query.get("fileid", "")
        if not pid and is_page and database_id.isdecimal():
            pid = f"{DATABASE_ID}{database_id}"
        if not pid:
            return None
        is_file = url.path.lower().startswith(_FILE_PAGES) or "fileid" in query
        kind = Kind.FILE if is_file or kind_of_pid(pid) is Kind.FILE else Kind.DATASET
        version = query.get("version", "").strip(":")
        if version.lower() in ("draft", "latest", "latest-published"):
            kind, version = (Kind.DRAFT if version.lower() == "draft" else kind), ""
        known = url.origin in SITES.values()
        return Reference(self.name, url.origin, pid, version, kind, known)

    def of_doi(self, doi: str) -> Reference | None:
        """What a DOI of a known site refers to."""
        site = next((site for prefix, site in SITES.items() if doi.startswith(prefix)), "")
        pid = f"doi:{doi}"
        kind = kind_of_pid(pid) or Kind.DATASET
        return Reference(self.name, site, pid, kind=kind) if site else None

    def probe(self, reference: Reference) -> bool:
        """Whether the site has Dataverse's call for its version."""
        found = self.api.found(f"{reference.base}/api/info/version")
        return found is not None and found["status"].text == "OK"

    def item(self, reference: Reference) -> FilesetPlatformItem:
        """The dataset in its version, or in its latest published one."""
        if reference.kind is Kind.DRAFT:
            raise restricted(self.name, "a draft")
        if reference.kind is Kind.FILE:
            reference = self._parent(reference)
        version = self._version(reference)
        _check_version(version)
        pid = normal_pid(version["datasetPersistentId"].text) or reference.id
        number = f"{version['versionNumber'].needed}.{version['versionMinorNumber'].text or '0'}"
        page = f"{reference.base}/dataset.xhtml?persistentId={pid}&version={number}"
        files = [_file(each, reference.base, self.api.today) for each in version["files"].items]
        return self.made(
            reference,
            page,
            files,
            platform_id=pid,
            platform_version=number,
            platform_concept_id=pid,
            archiveorg_item_name=item_name(reference.host, pid.rpartition("/")[2], f"v{number}"),
            archiveorg_item_meta=_metadata(version, pid, page),
            web_bundle_url=f"{reference.base}/api/access/dataset/:persistentId/"
            # Without a version, the bundle is that of the latest one.
            f"{f'versions/{number}' if reference.version else ''}"
            f"?persistentId={pid}&format=original",
        )

    def _version(self, reference: Reference) -> JSONValue:
        """The JSON of a version. A PID that no dataset has may be written in upper case."""
        for pid in dict.fromkeys([reference.id, upper_pid(reference.id)]):
            try:
                found = self.api.get(_dataset_url(reference.base, pid, reference.version))["data"]
            except FilesetError as error:
                if error.status != "platform-404":
                    raise
                missing = error
                continue
            version = found if reference.version else found["latestVersion"]
            if not version:
                raise self.out_of_scope(f"{pid} has no published version")
            return version
        if parent := self._parent_of_file(reference):
            raise self.out_of_scope(f"{reference.id} is a file of {parent}")
        url = _dataset_url(reference.base, reference.id, ":latest")
        withdrawn = self.api.found(f"{url}{'&' if '?' in url else '?'}includeDeaccessioned=true")
        if withdrawn:
            _check_version(withdrawn["data"])
        raise missing

    def _parent(self, file: Reference) -> Reference:
        """The dataset of a file. Raises FilesetError unless the policy is to take the dataset."""
        parent = self._parent_of_file(file) or dataset_of_file(file.id)
        if self.api.options.file_policy == "scope" or not parent:
            raise self.out_of_scope(f"{file.id} is a file of {parent or 'an unknown dataset'}")
        return Reference(self.name, file.base, parent, file.version)

    def _parent_of_file(self, file: Reference) -> str:
        path, query = _of_id(file.id)
        url = f"{file.base}/api/files/{path}{query or '?'}&returnDatasetVersion=true"
        found = self.api.found(url.replace("?&", "?"))
        return (
            normal_pid(found["data"]["datasetVersion"]["datasetPersistentId"].text) if found else ""
        )


def _of_id(id: str) -> tuple[str, str]:
    """The path and the query by which the API is asked for a PID or a database id."""
    if id.startswith(DATABASE_ID):
        return id.removeprefix(DATABASE_ID), ""
    return ":persistentId", f"?persistentId={quote(id, safe=':/')}"


def _dataset_url(base: str, id: str, version: str) -> str:
    path, query = _of_id(id)
    versioned = f"versions/{quote(version, safe=':')}" if version else ""
    return f"{base}/api/datasets/{path}/{versioned}{query}"


def _check_version(version: JSONValue) -> None:
    """Raise FilesetError (`platform-restricted`) if the version is not public."""
    state = version["versionState"].text
    if state == "DEACCESSIONED":
        raise restricted("dataverse", "deaccessioned", version["deaccessionNote"].text)
    if state == "DRAFT":
        raise restricted("dataverse", "a draft")


def _restriction(file: JSONValue, today: str) -> tuple[str, str] | None:
    """Why a file is not public, and until which day; None if it is."""
    embargo, retention = file["dataFile"]["embargo"], file["dataFile"]["retention"]
    starts, ends = embargo["dateAvailable"].text, retention["dateUnavailable"].text
    if starts > today:
        return f"embargo: {embargo['reason'].text}".removesuffix(": "), starts
    if ends and ends <= today:
        return f"retained until {ends}: {retention['reason'].text}".removesuffix(": "), ""
    return ("restricted", "") if file["restricted"].is_true else None


def _path(file: JSONValue) -> str:
    data = file["dataFile"]
    name = data["originalFileName"].text or data["filename"].text or file["label"].needed
    return "/".join(
        filter(None, [file["directoryLabel"].text or data["directoryLabel"].text, name])
    )


def _file(file: JSONValue, base: str, today: str) -> FilesetManifestFile:
    data = file["dataFile"]
    pid = data["persistentId"].text
    url = f"{base}/api/access/datafile/" + (
        f":persistentId/?persistentId={pid}" if pid else data["id"].needed
    )
    is_tabular = bool(data["originalFileName"].text)
    if is_tabular:
        url += "&format=original" if pid else "?format=original"
    checksum = data["checksum"]
    # The size of the ingested table is not that of the original, which is downloaded.
    size = data["originalFileSize"] if is_tabular else data["filesize"]
    version = file["version"].text
    found = manifest_file(
        _path(file),
        url,
        size=size.size,
        hashes=hash_of(checksum["value"].text, checksum["type"].text)
        or hash_of(data["md5"].text, "md5"),
        mimetype=data["originalFileFormat"].text if is_tabular else data["contentType"].text,
        version="" if version == "1" else version,
        description=file["description"].text or data["description"].text,
    )
    reason = _restriction(file, today)
    return closed(found, *reason) if reason else found


def _metadata(version: JSONValue, pid: str, page: str) -> ItemMetadata:
    fields = {
        each["typeName"].text: each["value"]
        for each in version["metadataBlocks"]["citation"]["fields"].items
    }
    parts = [
        *_compound(fields, "dsDescription", "dsDescriptionValue")[:1],
        version["termsOfUse"].text,
    ]
    license = version["license"]
    title = fields.get("title")
    return item_metadata(
        date=version["releaseTime"].text[:10],
        source=page,
        doi=pid.removeprefix("doi:") if pid.startswith("doi:") else "",
        title=title.text if title else "",
        creator=_compound(fields, "author", "authorName"),
        description="<br>".join(filter(None, parts)),
        license=license["uri"].text or license["name"].text or license.text,
        version=f"{version['versionNumber'].text}.{version['versionMinorNumber'].text or '0'}",
    )


def _compound(fields: Mapping[str, JSONValue], name: str, part: str) -> list[str]:
    """The texts of a part in the values of a compound field."""
    values = fields[name].one_or_more if name in fields else []
    return [text for each in values if (text := each[part]["value"].text)]
