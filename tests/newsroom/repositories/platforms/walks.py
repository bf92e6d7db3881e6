"""The way through the API of each platform to the URLs of all files of a dataset."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import quote

from newsroom.repositories.dataset import Dataset
from newsroom.repositories.platforms.osf import NO_LINKS
from newsroom.repositories.server import Repositories
from newsroom.repositories.table import datasets
from tests.newsroom.repositories.asking import ask, follow

Files = Iterator[tuple[str, str, str]]
"""The path, the URL, and the hash that is told of each file."""


def zenodo(repositories: Repositories, dataset: Dataset) -> Files:
    api = f"http://{dataset.host or 'zenodo.example'}/api/records/{dataset.id}"
    if dataset.shape == "native":
        for each in ask(repositories, f"{api}/files").json["entries"]:
            yield each["key"], each["links"]["content"], each["checksum"].partition(":")[2]
        return
    for each in ask(repositories, api).json["files"]:
        key = each.get("key") or each["filename"]
        yield key, f"{api}/files/{quote(key)}/content", each["checksum"].rpartition(":")[2]


def figshare(repositories: Repositories, dataset: Dataset) -> Files:
    api = "data.4tu.example" if dataset.platform == "4tu" else "api.figshare.example"
    article = f"http://{api}/v2/articles/{dataset.id}/versions/{dataset.version}"
    assert ask(repositories, article).json["version"] == int(dataset.version)
    for each in ask(repositories, f"{article}/files?page=1&page_size=100").json:
        yield each["name"], each["download_url"], each["computed_md5"]


def dataverse(repositories: Repositories, dataset: Dataset) -> Files:
    site = "http://dataverse.example/api"
    version = f"{site}/datasets/:persistentId/versions/{dataset.version}"
    found = ask(repositories, f"{version}?persistentId={dataset.id}").json["data"]
    for each in found["files"]:
        data = each["dataFile"]
        pid = data["persistentId"]
        place = f":persistentId/?persistentId={pid}&" if pid else f"{data['id']}?"
        folder = f"{each['directoryLabel']}/" if "directoryLabel" in each else ""
        name = data.get("originalFileName") or data["filename"]
        url = f"{site}/access/datafile/{place}format=original"
        yield f"{folder}{name}", url, data.get("checksum", {}).get("value", "")


def archiveorg(repositories: Repositories, dataset: Dataset) -> Files:
    found = ask(repositories, f"http://archive.example/metadata/{dataset.id}").json
    for each in found["files"]:
        if each["source"] == "original" and not each["name"].endswith("_meta.xml"):
            url = f"http://archive.example/download/{dataset.id}/{quote(each['name'])}"
            yield each["name"], url, each["md5"]


def osf(repositories: Repositories, dataset: Dataset) -> Files:
    api = "http://api.osf.example/v2"
    kind = ask(repositories, f"{api}/guids/{dataset.id}/").json["data"]["type"]
    found = ask(repositories, f"{api}/{kind}/{dataset.id}/files/").json["data"]
    folders = [found[0]["relationships"]["files"]["links"]["related"]["href"]]
    for url in folders:
        page: dict[str, Any] = {"links": {"next": url}}
        while page["links"]["next"]:
            page = ask(repositories, page["links"]["next"]).json
            for each in page["data"]:
                data = each["attributes"]
                if data["kind"] == "folder":
                    folders.append(each["relationships"]["files"]["links"]["related"]["href"])
                else:
                    path = data["materialized_path"].removeprefix("/")
                    yield path, each["links"]["download"], data["extra"]["hashes"]["md5"]


def dryad(repositories: Repositories, dataset: Dataset) -> Files:
    site = "http://dryad.example"
    api = f"{site}/api/v2/datasets/{quote(f'doi:{dataset.id}', safe='')}"
    links = ask(repositories, api).json["_links"]
    href = f"{links['stash:version']['href']}/files?per_page=2"
    while href:
        page = ask(repositories, f"{site}{href}").json
        for each in page["_embedded"]["stash:files"]:
            if each["status"] != "deleted":
                url = f"{site}{each['_links']['stash:download']['href']}"
                yield each["path"], url, each["digest"]
        href = page["_links"].get("next", {}).get("href")


def github(repositories: Repositories, dataset: Dataset) -> Files:
    api = f"http://api.github.example/repos/{dataset.id}/releases"
    release = ask(repositories, f"{api}/tags/{dataset.version}").json
    for each in ask(repositories, f"{api}/{release['id']}/assets?per_page=100").json:
        digest = each["digest"] or ""
        yield each["name"], each["browser_download_url"], digest.removeprefix("sha256:")


def b2share(repositories: Repositories, dataset: Dataset) -> Files:
    api = "http://b2share.example/api"
    for each in ask(repositories, f"{api}/records/{dataset.id}").json["files"]:
        url = f"{api}/files/{each['bucket']}/{quote(each['key'])}"
        yield each["key"], url, each["checksum"].removeprefix("md5:")


WALKS: Mapping[str, Callable[[Repositories, Dataset], Files]] = {
    "zenodo": zenodo,
    "figshare": figshare,
    "4tu": figshare,
    "dataverse": dataverse,
    "archiveorg": archiveorg,
    "osf": osf,
    "dryad": dryad,
    "github": github,
    "b2share": b2share,
}

GOOD = [
    each
    for each in datasets()
    if each.expect.startswith("success") and each.platform in WALKS and each.size < 1_000_000
    if each.shape != NO_LINKS
]
"""The small datasets of which everyone can have each file."""


def check_files(repositories: Repositories, dataset: Dataset) -> None:
    """Check that the API names the files, and that they have the bytes of the table."""
    found = list(WALKS[dataset.platform](repositories, dataset))
    assert sorted(path for path, _, _ in found) == sorted(file.path for file in dataset.files)
    contents = [(file.path, file.content.whole()) for file in dataset.files]
    told = {file.told_hash for file in dataset.files} | {""}
    for path, url, digest in found:
        assert dataset.platform == "osf" or digest in told
        assert (path, follow(repositories, url)[1].body) in contents
