"""What all platforms share: recognition, paths, names and metadata of items."""

import pytest

from indexer.errors import FilesetError
from indexer.filesets.landing.evidence import Evidence, evidence_of
from indexer.filesets.landing.resource import Resource
from indexer.filesets.manifest import FilesetManifestFile
from indexer.filesets.platforms import find, find_without_page, platforms
from indexer.filesets.platforms.items import distinct, item_metadata, item_name, longer_item_name
from indexer.filesets.platforms.platform import FilesetPlatformHelper
from indexer.filesets.platforms.zenodo import Zenodo
from indexer.filesets.request import IngestRequest
from tests.each_row import each_row
from tests.filesets.platforms.imitation import Imitation
from tests.filesets.platforms.samples import item_of, sample


def found(evidence: Evidence) -> str:
    platform, reference = find(platforms(Imitation().api), evidence)
    return f"{platform.name} {reference.base} {reference.id}"


@each_row(
    ("evidence", "expected"),
    (
        # A DOI tells more than the host of the page.
        (
            Evidence(["https://github.com/some/tool"], ["10.5281/zenodo.7"]),
            "zenodo https://zenodo.org 7",
        ),
        # The page names its software, so its API is not asked.
        (
            Evidence(["https://rdm.example.org/records/abcde-12345"], generator="InvenioRDM 12"),
            "zenodo https://rdm.example.org abcde-12345",
        ),
        (
            Evidence(
                ["https://d.example/dataset.xhtml?persistentId=doi:10.5072/A"],
                generator="Dataverse 6.2",
            ),
            "dataverse https://d.example doi:10.5072/A",
        ),
        # What the page says of itself.
        (
            Evidence(["https://lab.example.org/"], page_dois=["10.5281/zenodo.7"]),
            "zenodo https://zenodo.org 7",
        ),
        (
            Evidence(["https://lab.example.org/"], page_urls=["https://osf.io/ab1cd/"]),
            "osf https://osf.io ab1cd",
        ),
    ),
)
def test_evidence_is_used_in_the_order_of_its_certainty(evidence: Evidence, expected: str) -> None:
    assert found(evidence) == expected


@each_row(
    ("url", "name"),
    (
        ("https://archive.org/details/item", "archiveorg"),
        ("https://archive.org/download/item/a.zip", "archiveorg"),
        ("https://archive.org/details/@someone", None),
        ("https://zenodo.org/records/1", None),
    ),
)
def test_only_pages_of_archive_org_are_not_fetched(url: str, name: str | None) -> None:
    platform = find_without_page(platforms(Imitation().api), evidence_of(url, {}))
    assert (platform and platform.name) == name


def test_a_platform_answers_requests_by_the_names_of_the_design() -> None:
    url, answers = sample("zenodo")
    platform: FilesetPlatformHelper = Zenodo(Imitation(answers).api)
    request, other = IngestRequest(base_url=url), IngestRequest(base_url="https://example.org/")
    page = Resource([url], url, "20260101000000", 404, problem="terminal-bad-status")
    assert platform.match_request(request, page, {})
    assert platform.process_request(request, page, {}).platform_id == "10200001"
    assert not platform.match_request(other, None, {})
    with pytest.raises(FilesetError, match="no-platform-match"):
        platform.process_request(other, None, {})


@each_row(
    ("paths", "expected"),
    (
        (["a.csv", "b.csv"], ["a.csv", "b.csv"]),
        (["a.csv", "a.csv", "a.csv"], ["a.csv", "a (2).csv", "a (3).csv"]),
        (["a", "a"], ["a", "a (2)"]),
        (["d.d/a.tar.gz", "d.d/a.tar.gz"], ["d.d/a.tar.gz", "d.d/a (2).tar.gz"]),
        ([".a", ".a"], [".a", ".a (2)"]),
        (["a", "a", "a (2)"], ["a", "a (2)", "a (2) (2)"]),
        (["a (2)", "a", "a"], ["a (2)", "a", "a (3)"]),
    ),
)
def test_each_file_has_a_path_of_its_own(paths: list[str], expected: list[str]) -> None:
    files = distinct([FilesetManifestFile(path=path) for path in paths])
    assert [file.path for file in files] == expected
    originals = [(file.extra or {}).get("original_path", file.path) for file in files]
    assert originals == paths


@each_row(
    ("parts", "name"),
    (
        (("zenodo.org", "7"), "zenodo.org-7"),
        (("a", "", "b/c d_é"), "a-b-c-d_-"),
        (("..abc",), "abc"),
        (("_",), "d2e2adf7177b"),
        (("ab",), "ab-fb8e20fc2e4c"),
        (("a" * 100,), "a" * 100),
        (("a" * 101,), None),
    ),
)
def test_an_item_has_a_name_that_archive_org_accepts(
    parts: tuple[str, ...], name: str | None
) -> None:
    found = item_name(*parts)
    assert name in (None, found)
    assert 3 <= len(found) <= 100


def test_long_names_with_one_beginning_differ() -> None:
    assert item_name("a" * 100 + "b") != item_name("a" * 100 + "c")


def test_a_name_that_another_dataset_has_gets_longer() -> None:
    item = item_of(*sample("dataverse"))
    assert item.archiveorg_item_name == "dataverse.harvard.edu-ABCDEF-v2.1"
    assert longer_item_name(item) == "dataverse.harvard.edu-10.7910-DVN-ABCDEF-v2.1"


def test_empty_metadata_are_left_out() -> None:
    assert item_metadata(title=" a ", creator=["", " b "], doi="", license="cc-by-4.0") == {
        "collection": "datasets",
        "title": "a",
        "creator": ["b"],
        "license": "cc-by-4.0",
    }


@each_row(
    ("url", "base"),
    (
        ("https://www.zenodo.org/records/1", "https://zenodo.org"),
        ("https://sandbox.zenodo.org/records/1", "https://sandbox.zenodo.org"),
        ("https://portal.figshare.com/articles/7654321", "https://portal.figshare.com"),
        ("https://api.figshare.com/v2/articles/7654321", "https://figshare.com"),
        ("https://ndownloader.figshare.com/files/7", "https://figshare.com"),
        ("https://ia800.us.archive.org/download/item", "https://archive.org"),
        ("https://api.osf.io/v2/nodes/ab1cd/", "https://osf.io"),
        ("http://github.com/some/tool", "https://github.com"),
    ),
)
def test_a_host_belongs_to_the_site_of_its_platform(url: str, base: str) -> None:
    assert found(Evidence([url])).split()[1] == base
