"""Figshare, Dataverse, OSF, Dryad, GitHub, B2SHARE and a page without an API: their own ways."""

import io
import zipfile

from newsroom.repositories.platforms.dryad import CLIENT, SECRET
from newsroom.repositories.server import Repositories
from tests.newsroom.repositories.asking import ask, follow

FIGSHARE = "http://api.figshare.example/v2"
DATAVERSE = "http://dataverse.example/api"
DRYAD = "http://dryad.example"
PID = "persistentId=doi:10.5072/FK2/"


def names_in(body: bytes) -> list[str]:
    with zipfile.ZipFile(io.BytesIO(body)) as bundle:
        return bundle.namelist()


def test_figshare_lists_ten_files_and_then_pages(shared: Repositories) -> None:
    article = f"{FIGSHARE}/articles/30100003"
    assert len(ask(shared, article).json["files"]) == 10
    assert len(ask(shared, f"{article}/files?page=2&page_size=10").json) == 2
    assert ask(shared, f"{FIGSHARE}/articles/30100001/versions").json == [
        {"version": at, "url": f"{FIGSHARE}/articles/30100001/versions/{at}"} for at in (1, 2)
    ]
    assert ask(shared, f"{FIGSHARE}/articles/1").json["code"] == "EntityNotFound"
    members = ask(shared, f"{FIGSHARE}/collections/7100001/articles?page=1").json
    assert [each["id"] for each in members] == [30100001, 30100002]


def test_figshare_challenges_programs_at_one_place_and_redirects_at_another(
    shared: Repositories,
) -> None:
    found = ask(shared, f"{FIGSHARE}/articles/30100002").json["files"][0]
    challenge = ask(shared, f"http://figshare.example/ndownloader/files/{found['id']}")
    assert (challenge.status, challenge.body) == (202, b"")
    assert challenge.headers["x-amzn-waf-action"] == "challenge"
    url, got = follow(shared, f"{FIGSHARE}/file/download/{found['id']}")
    assert url.startswith("http://storage.example/")
    assert got.body.startswith(b"\x89PNG")
    bundle = ask(shared, "http://ndownloader.figshare.example/articles/30100001/versions/2")
    assert names_in(bundle.body) == ["fish.csv", "notes.txt"]


def test_figshare_tells_of_an_embargo_and_of_confidential_files(shared: Repositories) -> None:
    embargoed = ask(shared, f"{FIGSHARE}/articles/30100006").json
    assert (embargoed["is_embargoed"], embargoed["embargo_date"]) == (True, "2036-01-01")
    confidential = ask(shared, f"{FIGSHARE}/articles/30100007").json
    assert (confidential["is_confidential"], "files" in confidential) == (True, False)


def test_dataverse_has_originals_of_tables(shared: Repositories) -> None:
    url = f"{DATAVERSE}/datasets/:persistentId/versions/:latest-published?{PID}ONEONE"
    data = ask(shared, url).json["data"]["files"][0]["dataFile"]
    assert (data["filename"], data["originalFileName"]) == ("only.tab", "only.dta")
    file = f"{DATAVERSE}/access/datafile/{data['id']}"
    assert len(ask(shared, file).body) == data["filesize"] == 1500
    original = ask(
        shared, f"{file}?format=original", headers={"If-Range": "x", "Range": "bytes=9-"}
    )
    assert (original.status, len(original.body)) == (206, data["originalFileSize"] - 9)
    by_pid = f"{DATAVERSE}/files/:persistentId?persistentId={data['persistentId']}"
    parent = ask(shared, f"{by_pid}&returnDatasetVersion=true").json["data"]["datasetVersion"]
    assert parent["datasetPersistentId"] == "doi:10.5072/FK2/ONEONE"


def test_dataverse_leaves_restricted_files_out_of_a_zip_without_an_error(
    shared: Repositories,
) -> None:
    got = ask(shared, f"{DATAVERSE}/access/dataset/:persistentId/?{PID}PARTLY&format=original")
    assert (got.status, names_in(got.body)) == (200, ["open.csv", "MANIFEST.TXT"])
    with zipfile.ZipFile(io.BytesIO(got.body)) as bundle:
        assert b"closed.csv IS RESTRICTED" in bundle.read("MANIFEST.TXT")


def test_dataverse_has_versions_files_in_parts_and_refusals(shared: Repositories) -> None:
    datasets = f"{DATAVERSE}/datasets/:persistentId"
    versions = ask(shared, f"{datasets}/versions?{PID}ABCDEF").json["data"]
    assert [(each["versionMinorNumber"], each["files"]) for each in versions] == [(1, []), (0, [])]
    part = ask(shared, f"{datasets}/versions/1.0/files?{PID}ALLMNY&limit=9&offset=95").json
    assert (len(part["data"]), part["totalCount"]) == (5, 100)
    assert ask(shared, f"{datasets}/?{PID}DRAFTS").status == 401
    assert ask(shared, f"{datasets}/?{PID}NOTONE").status == 404
    assert ask(shared, f"{datasets}/?{PID}WITHDR").status == 404
    withdrawn = ask(shared, f"{datasets}/?{PID}WITHDR&includeDeaccessioned=true").json["data"]
    assert withdrawn["latestVersion"]["versionState"] == "DEACCESSIONED"
    assert ask(shared, f"{DATAVERSE}/info/version").json["status"] == "OK"
    page = ask(shared, "http://dataverse.example/file.xhtml?fileId=1")
    assert page.status == 404


def test_osf_refuses_private_and_deleted_projects(shared: Repositories) -> None:
    api = "http://api.osf.example/v2/nodes"
    assert [ask(shared, f"{api}/{id}/").status for id in ("vel03", "vel04", "none1")] == [
        *(401, 410, 404)
    ]
    assert ask(shared, f"{api}/vel04/").json["errors"][0]["detail"]
    zipped = ask(shared, "http://files.osf.example/v1/resources/vel02/providers/osfstorage/?zip=")
    assert names_in(zipped.body) == ["a.csv", "b.txt"]


def test_dryad_has_files_for_users_of_its_api(shared: Repositories) -> None:
    dataset = f"{DRYAD}/api/v2/datasets/doi%3A10.5061%2Fdryad.velmora02"
    links = ask(shared, dataset).json["_links"]
    assert "stash:download" not in links
    files = f"{DRYAD}{links['stash:version']['href']}/files"
    file = ask(shared, files).json["_embedded"]["stash:files"][1]
    url = f"{DRYAD}{file['_links']['self']['href']}/download"
    assert ask(shared, url).status == 401
    form = f"grant_type=client_credentials&client_id={CLIENT}&client_secret={SECRET}".encode()
    token = ask(shared, f"{DRYAD}/oauth/token", "POST", form).json["access_token"]
    headers = {"Authorization": f"Bearer {token}"}
    assert len(ask(shared, url, headers=headers).body) == file["size"]


def test_github_has_releases_with_and_without_hashes(shared: Repositories) -> None:
    releases = ask(shared, "http://api.github.example/repos/velmora/gauges/releases").json
    assert [each["tag_name"] for each in releases] == ["v2.0", "v1.0"]
    assert [bool(each["assets"][0]["digest"]) for each in releases] == [True, False]


def test_pages_without_an_api_declare_their_files(shared: Repositories) -> None:
    site = "http://repository.example/set"
    assert b'"contentSize": "2000 bytes"' in ask(shared, f"{site}/schema-org").body
    assert ask(shared, f"{site}/signposting").headers["Link"].count('rel="item"') == 2
    assert 'rel="linkset"' in ask(shared, f"{site}/linkset").headers["Link"]
    linkset = ask(shared, f"{site}/linkset/linkset").json["linkset"][0]
    assert len(ask(shared, linkset["item"][0]["href"]).body) == 2000
    assert b"ld+json" not in ask(shared, f"{site}/silent").body
