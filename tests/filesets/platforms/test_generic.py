"""The fallback: files that a page declares by links, linksets and schema.org."""

import json
from typing import Any

import pytest

from indexer.errors import FilesetError
from indexer.filesets.landing.evidence import evidence_of
from indexer.filesets.landing.resource import Resource
from indexer.filesets.platform_item import FilesetPlatformItem
from indexer.filesets.platforms import find, platforms
from tests.each_row import each_row
from tests.filesets.platforms.imitation import Imitation

HERE = "https://repo.example.org/item/1"
LINKSET = "https://repo.example.org/linkset/1"
FILES = ["a.csv None text/csv https://repo.example.org/item/a.csv"]
MD5 = "9e107d9d372bb6826bd81d3542a419d6"


def item(
    dataset: Any = None, link: str = "", answers: dict[str, Any] | None = None
) -> FilesetPlatformItem:
    """The item of a page with a schema.org object and a Link header."""
    script = f'<script type="application/ld+json">{json.dumps(dataset)}</script>'
    hops = ["https://doi.org/10.5072/a", HERE]
    resource = Resource(hops, HERE, "20260101000000", 200, {"link": link}, "", script.encode())
    evidence = evidence_of(hops[0], {}, resource)
    platform, reference = find(platforms(Imitation(answers).api), evidence)
    assert platform.name == "generic"
    return platform.item(reference)


def lines(found: FilesetPlatformItem) -> list[str]:
    return [f"{file.path} {file.size} {file.mimetype} {file.platform_url}" for file in found.files]


def test_linked_items_are_files() -> None:
    found = item(
        link='<a.csv>; rel="item"; type="text/csv", <https://doi.org/10.5072/a>; rel=cite-as'
    )
    assert lines(found) == FILES
    assert found.platform_name == "generic"
    assert found.platform_id == "10.5072/a"
    assert found.platform_domain == "repo.example.org"
    assert found.archiveorg_item_name == "repo.example.org-10.5072-a"


ITEM = {"href": "https://repo.example.org/item/a.csv", "type": "text/csv"}
OTHER = {"anchor": "https://repo.example.org/item/2", "item": [{"href": "https://x.example/b"}]}
JSON_TYPE = {"content-type": "application/linkset+json"}


@each_row(
    "answer",
    (
        (200, JSON_TYPE, {"linkset": [{"anchor": HERE, "item": [ITEM]}, OTHER]}),
        (200, JSON_TYPE, {"linkset": [[{"anchor": HERE, "item": [ITEM]}]]}),
        (200, JSON_TYPE, {"linkset": [{"item": [ITEM]}]}),
        (
            200,
            JSON_TYPE,
            {"linkset": [{"anchor": "https://doi.org/10.5072/other", "item": [ITEM]}]},
        ),
        (
            200,
            {"content-type": "application/linkset"},
            f'<{ITEM["href"]}>; rel="item"; type="text/csv"; anchor="{HERE}",\n'
            f'<https://x.example/b>; rel="item"; anchor="{OTHER["anchor"]}"'.encode(),
        ),
    ),
)
def test_the_items_of_a_linkset_are_files(answer: Any) -> None:
    link = f'<{LINKSET}>; rel="linkset"; type="application/linkset+json"'
    assert lines(item(link=link, answers={LINKSET: answer})) == FILES


def dataset(*distribution: Any, **more: Any) -> Any:
    return {"@type": "Dataset", "name": "A title", "distribution": [*distribution], **more}


A = {"@type": "DataDownload", "contentUrl": "a.csv", "encodingFormat": "text/csv"}


@each_row(
    ("declared", "expected"),
    (
        (dataset(A), FILES),
        (dataset() | {"distribution": A}, FILES),
        (dataset(A | {"contentSize": "15077 bytes"}), [FILES[0].replace("None", "15077")]),
        (dataset(A | {"contentSize": 15077}), [FILES[0].replace("None", "15077")]),
        (dataset(A | {"contentSize": "1.2 MB"}), FILES),
        (dataset(A | {"contentSize": {"a": 1}}), FILES),
        (dataset(A | {"name": "b.csv"}), [FILES[0].replace("a.csv None", "b.csv None")]),
        (dataset(A | {"encodingFormat": ["text/csv", "x"]}), FILES),
        (dataset(A, A | {"contentUrl": ""}, {"@type": "DataDownload"}), FILES),
        (dataset(A, A), FILES),
        (dataset(A | {"@type": "cr:FileObject", "@id": "a"}, {"@type": "cr:FileSet"}), FILES),
        (dataset(A, A | {"contentUrl": "in.csv", "containedIn": {"@id": "a"}}), FILES),
    ),
)
def test_the_distribution_of_a_dataset_are_files(declared: Any, expected: list[str]) -> None:
    assert lines(item(declared)) == expected


def test_hashes_and_metadata_of_a_dataset_are_kept() -> None:
    found = item(
        dataset(
            A | {"md5": MD5.upper()},
            version="1.1",
            license="https://creativecommons.org/licenses/by/4.0/",
            creator=[{"name": "Doe, Jane"}],
        )
    )
    assert found.files[0].md5 == MD5
    assert found.platform_version == "1.1"
    assert found.archiveorg_item_name == "repo.example.org-10.5072-a-v1.1"
    assert found.archiveorg_item_meta
    assert found.archiveorg_item_meta["creator"] == ["Doe, Jane"]
    assert (
        found.archiveorg_item_meta["licenseurl"] == "https://creativecommons.org/licenses/by/4.0/"
    )


def test_declared_files_know_more_than_linked_ones() -> None:
    assert lines(item(dataset(A | {"contentSize": 7}), link="<a.csv>; rel=item")) == [
        FILES[0].replace("None", "7")
    ]


@each_row(
    ("declared", "link", "answers", "status"),
    (
        (None, "", {}, "no-platform-match"),
        (dataset(), "", {}, "no-platform-match"),
        ({"@type": "Article", "distribution": [A]}, "", {}, "no-platform-match"),
        ([dataset(A), dataset(A, name="B")], "", {}, "platform-scope"),
        (dataset(A, isAccessibleForFree=False), "", {}, "platform-restricted"),
        (dataset(A | {"contentUrl": "http://[/"}), "", {}, "platform-error"),
        (None, f"<{LINKSET}>; rel=linkset", {}, "platform-404"),
        (None, f"<{LINKSET}>; rel=linkset", {LINKSET: {"linkset": 7}}, "platform-error"),
        (None, f"<{LINKSET}>; rel=linkset", {LINKSET: b"no JSON"}, "platform-error"),
        (
            None,
            f"<{LINKSET}>; rel=linkset",
            {LINKSET: {"linkset": [{"item": [{"href": "http://[/"}]}]}},
            "platform-error",
        ),
    ),
)
def test_a_page_without_files_has_a_status(
    declared: Any, link: str, answers: dict[str, Any], status: str
) -> None:
    with pytest.raises(FilesetError) as caught:
        item(declared, link, answers)
    assert caught.value.status == status


def test_a_linkset_without_items_is_an_empty_manifest() -> None:
    assert item(link=f"<{LINKSET}>; rel=linkset", answers={LINKSET: {"linkset": []}}).files == []


def test_pages_that_only_their_query_tells_apart_are_two_items() -> None:
    def name(url: str) -> str | None:
        resource = Resource([url], url, "20260101000000", 200, {"link": "<a>; rel=item"})
        platform, reference = find(platforms(Imitation().api), evidence_of(url, {}, resource))
        return platform.item(reference).archiveorg_item_name

    assert name("https://repo.example.org/view?id=1") == "repo.example.org-view-id-1"
    assert name("https://repo.example.org/view?id=2") == "repo.example.org-view-id-2"


def test_an_unknown_host_is_asked_once_by_each_platform() -> None:
    url = "https://repo.example.org/records/1"
    imitation = Imitation()
    with pytest.raises(FilesetError, match="no-platform-match"):
        find(platforms(imitation.api), evidence_of(url, {}))
    assert imitation.asked == ["https://repo.example.org/api/records?size=1"]
