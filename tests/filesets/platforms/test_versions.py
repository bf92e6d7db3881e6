"""References without a version, to all versions, and to files: by the policies."""

from typing import Any

import pytest

from indexer.errors import FilesetError
from tests.each_row import each_row
from tests.filesets.platforms.imitation import json_file
from tests.filesets.platforms.samples import (
    DATAVERSE,
    FIGSHARE,
    GITHUB,
    PID,
    ZENODO,
    item_of,
    sample,
)

CONCEPT = "https://zenodo.org/api/records/10200000"
TODAY = json_file("zenodo_today")
ARTICLE = json_file("figshare_article")
TWO_RECORDS = {"hits": {"hits": [{"id": 10200001}, {"id": 10199990}], "total": 2}}
ONE_RECORD = {"hits": {"hits": [{"id": 10200001}], "total": 1}}
RELEASES = [
    {"tag_name": "v1.0", "draft": False},
    {"tag_name": "v0.9", "draft": False},
    {"tag_name": "v2.0", "draft": True},
]

ANSWERS: dict[str, Any] = {
    CONCEPT: TODAY,
    f"{ZENODO}/versions": TWO_RECORDS,
    f"{FIGSHARE}/versions": [{"version": 10}, {"version": 9}],
    f"{FIGSHARE}/versions/10": ARTICLE,
    f"{FIGSHARE}/versions/2": ARTICLE,
    f"{GITHUB}?per_page=100": RELEASES,
} | sample("github")[1]

UNVERSIONED = (
    ("https://doi.org/10.5281/zenodo.10200000", "10199990, 10200001", "10200001"),
    ("https://figshare.com/articles/dataset/Sounds/7654321", "9, 10", "7654321"),
    ("https://doi.org/10.6084/m9.figshare.7654321", "9, 10", "7654321"),
    ("https://github.com/some/tool/releases/latest", "v0.9, v1.0", "some/tool@v1.0"),
)


@each_row(("url", "versions", "latest"), UNVERSIONED)
def test_several_versions_are_named_or_the_latest_is_taken(
    url: str, versions: str, latest: str
) -> None:
    with pytest.raises(FilesetError, match=f"platform-scope: .*: {versions}"):
        item_of(url, ANSWERS)
    assert item_of(url, ANSWERS, version_policy="latest").platform_id == latest


@each_row(
    ("url", "one", "id"),
    (
        (
            "https://doi.org/10.5281/zenodo.10200000",
            {f"{ZENODO}/versions": ONE_RECORD},
            "10200001 v1.0 10200000",
        ),
        (
            "https://figshare.com/articles/dataset/Sounds/7654321",
            {f"{FIGSHARE}/versions": [{"version": 2}]},
            "7654321 2 7654321",
        ),
        (
            "https://github.com/some/tool",
            {f"{GITHUB}?per_page=100": RELEASES[:1]},
            "some/tool@v1.0 v1.0 some/tool",
        ),
    ),
)
def test_the_only_version_is_taken(url: str, one: dict[str, Any], id: str) -> None:
    item = item_of(url, ANSWERS | one)
    assert f"{item.platform_id} {item.platform_version} {item.platform_concept_id}" == id


@each_row(
    ("policy", "expected"),
    (("scope", "platform-scope: .* 2 versions: 10199990, 10200001"), ("latest", "10200001")),
)
def test_a_record_may_be_the_concept_itself(policy: str, expected: str) -> None:
    concept = {CONCEPT: {"id": 10200000, "conceptrecid": "10200000"}}
    versions = {f"{CONCEPT}/versions": TWO_RECORDS, ZENODO: TODAY}
    url = "https://zenodo.org/records/10200000"
    if policy == "scope":
        with pytest.raises(FilesetError, match=expected):
            item_of(url, concept | versions)
    else:
        found = item_of(url, concept | versions, version_policy=policy)
        assert found.platform_id == expected


def test_concepts_that_name_each_other_are_out_of_scope() -> None:
    answers = {
        f"https://zenodo.org/api/records/{id}": {"id": id, "conceptrecid": id} for id in (1, 2)
    } | {
        f"https://zenodo.org/api/records/{id}/versions": {"hits": {"hits": [{"id": 3 - id}]}}
        for id in (1, 2)
    }
    with pytest.raises(FilesetError, match="platform-scope"):
        item_of("https://zenodo.org/records/1", answers)


def test_no_version_is_public() -> None:
    with pytest.raises(FilesetError, match="platform-404"):
        item_of("https://github.com/some/tool", ANSWERS | {f"{GITHUB}?per_page=100": []})


DATASET = json_file("dataverse_dataset")
FILE = json_file("dataverse_file")
FILES_API = "https://dataverse.harvard.edu/api/files"
OF_FILE = "&returnDatasetVersion=true"
DATAVERSE_ANSWERS = {
    f"{DATAVERSE}/{PID}": DATASET,
    "https://dataverse.harvard.edu/api/datasets/3/": DATASET,
    f"{FILES_API}/:persistentId{PID}/GHIJKL{OF_FILE}": FILE,
    f"{FILES_API}/:persistentId?persistentId=hdl:1902.1/FILE-7{OF_FILE}": FILE,
    f"{FILES_API}/41?returnDatasetVersion=true": FILE,
}
PAGE = "https://dataverse.harvard.edu"


@each_row(
    "url",
    (
        f"{PAGE}/file.xhtml{PID}/GHIJKL",
        f"{PAGE}/dataset.xhtml{PID}/GHIJKL",
        f"{PAGE}/file.xhtml?persistentId=hdl:1902.1/FILE-7",
        f"{PAGE}/dataset.xhtml?persistentId=hdl:1902.1/FILE-7",
        f"{PAGE}/file.xhtml?fileId=41",
    ),
)
def test_the_dataset_of_a_file_is_named(url: str) -> None:
    with pytest.raises(FilesetError, match=r"platform-scope: .*doi:10\.7910/DVN/ABCDEF"):
        item_of(url, DATAVERSE_ANSWERS)


def test_the_dataset_of_a_file_is_taken_by_policy() -> None:
    url = f"{PAGE}/file.xhtml{PID}/GHIJKL"
    item = item_of(url, DATAVERSE_ANSWERS, file_policy="parent")
    assert item.platform_id == "doi:10.7910/DVN/ABCDEF"


@each_row(
    "url",
    (
        f"{PAGE}/dataset.xhtml?persistentId=doi:10.7910/dvn/abcdef",
        "https://doi.org/10.7910/dvn/abcdef",
        f"{PAGE}/dataset.xhtml?id=3",
    ),
)
def test_a_dataset_has_the_id_that_the_site_gives_it(url: str) -> None:
    item = item_of(url, DATAVERSE_ANSWERS)
    assert item.platform_id == "doi:10.7910/DVN/ABCDEF"


def test_a_site_keeps_its_scheme_and_port() -> None:
    site = "http://dv.example.org:8080"
    answers = {
        f"{site}/api/info/version": {"status": "OK"},
        f"{site}/api/datasets/:persistentId/{PID}": DATASET,
    }
    item = item_of(f"{site}/dataset.xhtml{PID}", answers)
    assert str(item.files[1].platform_url) == f"{site}/api/access/datafile/42"
    assert item.platform_domain == "dv.example.org"
    assert item.archiveorg_item_name == "dv.example.org-ABCDEF-v2.1"


def test_files_beyond_the_first_ones_are_listed_in_pages() -> None:
    ten = [ARTICLE["files"][0] | {"name": f"{at}.wav"} for at in range(10)]
    article = f"{FIGSHARE}/versions/2"
    pages = f"{article}/files?page=1&page_size=100&per_page=100"
    answers = {article: ARTICLE | {"files": ten}, pages: [*ten, ARTICLE["files"][1]]}
    item = item_of("https://figshare.com/articles/dataset/Sounds/7654321/2", answers)
    assert len(item.files) == 11


def test_a_file_has_a_second_url_behind_the_firewall() -> None:
    item = item_of(*sample("figshare"))
    assert item.files[0].extra == {"fallback_url": "https://api.figshare.com/v2/file/download/501"}


def test_the_native_shape_may_leave_out_its_entries() -> None:
    native = json_file("zenodo_native")
    native["files"] = {"enabled": True, "count": 1}
    answers = {ZENODO: native, f"{ZENODO}/files": json_file("zenodo_files")}
    item = item_of("https://zenodo.org/records/10200001", answers)
    assert [file.path for file in item.files] == ["sub dir/data file.csv"]
