"""newsroom/repositories/platforms/zenodo.py and doi.py: from a DOI to the bytes of all files."""

import io
import zipfile

from newsroom.repositories.server import Repositories
from tests.newsroom.repositories.asking import ask, follow

API = "http://zenodo.example/api/records"
NATIVE = "application/vnd.inveniordm.v1+json"


def test_a_doi_leads_to_the_page_of_a_record(shared: Repositories) -> None:
    url, got = follow(shared, "http://doi.example/10.5072/zenodo.10200003")
    assert url == "http://zenodo.example/records/10200003"
    assert b'<meta name="citation_doi" content="10.5072/zenodo.10200003">' in got.body
    assert 'rel="linkset"; type="application/linkset+json"' in got.headers["Link"]


def test_the_doi_of_all_versions_leads_to_the_newest(shared: Repositories) -> None:
    handle = ask(shared, "http://doi.example/api/handles/10.5072/zenodo.10200000").json
    assert handle["responseCode"] == 1
    assert (
        handle["values"][0]["data"]["value"] == "http://zenodo.example/doi/10.5072/zenodo.10200000"
    )
    url, _ = follow(shared, "http://doi.example/10.5072/zenodo.10200000")
    assert url.endswith("/records/10200003")
    got = ask(shared, f"{API}/10200000")
    assert (got.status, got.location) == (302, f"{API}/10200003")
    assert ask(shared, f"{API}/10200001/versions/latest").location == f"{API}/10200003"
    related = ask(shared, "http://api.datacite.example/dois/10.5072/zenodo.10200000").json
    assert [
        (each["relationType"], each["relatedIdentifier"])
        for each in related["data"]["attributes"]["relatedIdentifiers"]
    ] == [
        ("HasVersion", "10.5072/zenodo.10200001"),
        ("HasVersion", "10.5072/zenodo.10200003"),
    ]


def test_an_unknown_doi_is_not_found(shared: Repositories) -> None:
    assert ask(shared, "http://doi.example/10.5072/none").status == 404
    assert ask(shared, "http://doi.example/api/handles/10.5072/none").json["responseCode"] == 100


def test_the_shapes_of_other_times(shared: Repositories) -> None:
    legacy = ask(shared, f"{API}/10200101").json
    assert legacy["files"][0]["links"]["self"].startswith("http://zenodo.example/api/files/")
    assert legacy["links"]["html"] == "http://zenodo.example/record/10200101"
    transitional = ask(shared, f"{API}/10200111").json
    assert ":" not in transitional["files"][0]["checksum"]
    native = ask(shared, f"{API}/10200003", headers={"Accept": NATIVE}).json
    assert native["id"] == "10200003"
    assert native["access"]["status"] == "open"
    entries = ask(shared, "http://rdm.example/api/records/8d5a2-nmx31/files").json["entries"]
    assert len(entries) == 120
    assert ask(shared, "http://rdm.example/api/records?size=1").json["hits"]["total"] == 4


def test_closed_records_tell_why(shared: Repositories) -> None:
    restricted = ask(shared, f"{API}/10200151").json
    assert restricted["metadata"]["access_right"] == "restricted"
    assert (restricted["files"], "files" in restricted["links"]) == ([], False)
    embargoed = ask(shared, f"{API}/10200161").json["metadata"]
    assert (embargoed["access_right"], embargoed["embargo_date"]) == ("embargoed", "2036-01-01")
    gone = ask(shared, f"{API}/10200171")
    assert (gone.status, gone.json["tombstone"]["removal_reason"]["id"]) == (410, "spam")
    assert ask(shared, f"{API}/10200181").status == 404
    assert ask(shared, f"{API}/10200151/files/a.csv/content").status == 403


def test_a_linkset_names_all_files(shared: Repositories) -> None:
    got = ask(shared, f"{API}/10200003", headers={"Accept": "application/linkset+json"}).json
    assert len(got["linkset"][0]["item"]) == 5


def test_the_zip_of_all_files_has_their_bytes(shared: Repositories) -> None:
    dataset = shared.catalogue.find("zenodo", "10200003")
    got = ask(shared, f"{API}/10200003/files-archive")
    with zipfile.ZipFile(io.BytesIO(got.body)) as bundle:
        found = {name: bundle.read(name) for name in bundle.namelist()}
    assert dataset
    assert found == {file.path: file.content.whole() for file in dataset.files}


def test_a_range_continues_a_large_file_at_any_place(shared: Repositories) -> None:
    url = f"{API}/10200081/files/film.bin/content"
    start = 2 * 1024**3 - 9
    got = ask(shared, url, headers={"Range": f"bytes={start}-"})
    assert got.headers["Content-Range"] == f"bytes {start}-{start + 8}/{start + 9}"
    assert ask(shared, url, headers={"Range": "bytes=-9"}).body == got.body
    etag = got.headers["ETag"]
    assert ask(shared, url, headers={"Range": "bytes=0-3", "If-Range": etag}).status == 206
    assert (
        ask(shared, url, headers={"Range": "bytes=9-", "If-Range": '"other"'}, method="HEAD").status
        == 200
    )
