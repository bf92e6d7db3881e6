"""The entities of a catalogue: their fields and URLs (filesets.md 9.1)."""

from typing import Any

from indexer.filesets.importing.entities import file_entity, fileset_entity
from indexer.filesets.importing.options import EntityOptions
from tests.each_row import each_row
from tests.filesets.persisting.results import (
    CDX,
    REQUEST,
    SHA1,
    TERMINAL,
    dataset_file_result,
    file_result,
    fileset_result,
    manifest_file,
)

OPTIONS = EntityOptions()
ITEM = "https://archive.org/download/zenodo.org-7"
PAGE = "https://zenodo.org/records/7"
WAYBACK = "https://web.archive.org/web/20260102030405"
BUNDLE = {"archiveorg_bundle_path": "all files.zip", "terminal": TERMINAL}


def urls(entity: dict[str, Any]) -> list[tuple[str, str]]:
    return [(each["rel"], each["url"]) for each in entity["urls"]]


def test_the_entity_of_a_fileset() -> None:
    found = fileset_entity(fileset_result(), OPTIONS)
    first, _ = found.pop("manifest")
    assert first == {
        "path": "a.csv",
        "size": 3,
        "md5": "1" * 32,
        "sha1": SHA1,
        "sha256": "3" * 64,
        "mimetype": "text/csv",
        "extra": {"original_url": f"{PAGE}/files/a.csv"},
    }
    assert found == {
        "urls": [{"rel": "archive-base", "url": f"{ITEM}/"}, {"rel": "web", "url": PAGE}],
        "release_ids": ["a" * 26],
        "edit_extra": {
            "ingest_request_source": "fatcat-changelog",
            "link_source": "doi",
            "link_source_id": "10.5072/zenodo.7",
        },
    }


@each_row(
    ("given", "wanted"),
    [
        (
            {"ingest_strategy": "archiveorg-fileset-bundled", "fileset_bundle": BUNDLE},
            [("archive-bundle", f"{ITEM}/all%20files.zip"), ("web", PAGE)],
        ),
        (
            {
                "ingest_strategy": "web-fileset-bundled",
                "fileset_bundle": BUNDLE,
                "web_bundle_url": f"{PAGE}/all",
            },
            [
                ("webarchive-bundle", f"{WAYBACK}/{PAGE}"),
                ("repository-bundle", f"{PAGE}/all"),
                ("web", PAGE),
            ],
        ),
        (
            {"ingest_strategy": "web-fileset", "web_base_url": f"{PAGE}/files/"},
            [("repository-base", f"{PAGE}/files/"), ("web", PAGE)],
        ),
        (
            {
                "ingest_strategy": "web-fileset",
                "web_base_url": f"{PAGE}/files/",
                "web_base_url_dt": "20260102030405",
            },
            [
                ("webarchive-base", f"{WAYBACK}/{PAGE}/files/"),
                ("repository-base", f"{PAGE}/files/"),
                ("web", PAGE),
            ],
        ),
        ({"ingest_strategy": "web-fileset", "terminal": None}, [("web", PAGE)]),
    ],
)
def test_the_urls_of_a_fileset(given: dict[str, Any], wanted: list[tuple[str, str]]) -> None:
    assert urls(fileset_entity(fileset_result(**given), OPTIONS)) == wanted


def test_a_captured_file_has_the_url_of_its_capture() -> None:
    entity = fileset_entity(fileset_result(ingest_strategy="web-fileset"), OPTIONS)
    assert entity["manifest"][0]["extra"] == {
        "original_url": f"{PAGE}/files/a.csv",
        "wayback_url": f"{WAYBACK}/{PAGE}/files/a.csv",
    }


@each_row(
    ("given", "wanted"),
    [
        ({}, [("web", f"{PAGE}/files/a.csv"), ("archive", f"{ITEM}/a.csv")]),
        (
            {"manifest": [manifest_file("a 1%\ud800", platform_url=None)]},
            [("archive", f"{ITEM}/a%201%2525%25uD800")],
        ),
        (
            {
                "manifest": [manifest_file("100%\ud800", platform_url=None)],
                "platform_name": "archiveorg",
            },
            [("archive", f"{ITEM}/100%25%3F")],
        ),
        (
            {"ingest_strategy": "web-file"},
            [("web", f"{PAGE}/files/a.csv"), ("webarchive", f"{WAYBACK}/{PAGE}/files/a.csv")],
        ),
    ],
)
def test_the_urls_of_a_file(given: dict[str, Any], wanted: list[tuple[str, str]]) -> None:
    assert urls(file_entity(file_result(**given), OPTIONS)) == wanted


def test_the_entity_of_a_single_file() -> None:
    found = file_entity(file_result(manifest=[manifest_file(md5="A" * 32)]), OPTIONS)
    assert (found["extra"], found["md5"], found["sha1"]) == ({"path": "a.csv"}, "a" * 32, SHA1)
    own = file_entity(dataset_file_result(), OPTIONS)
    assert own["mimetype"] == "text/html"
    assert "extra" not in own
    assert urls(own) == [("web", PAGE), ("webarchive", f"{WAYBACK}/{CDX['url']}")]


def test_a_release_may_be_named_by_ids_of_other_catalogues() -> None:
    entity = fileset_entity(fileset_result(request=REQUEST | {"fatcat": None}), OPTIONS)
    assert "release_ids" not in entity
    assert entity["release_ext_ids"] == {"doi": "10.5072/zenodo.7"}


def test_where_items_and_captures_can_be_read_is_an_option() -> None:
    nowhere = EntityOptions(items_url="", replay_url="")
    assert urls(fileset_entity(fileset_result(), nowhere)) == [("web", PAGE)]
    own = EntityOptions(items_url="https://data.example/items/")
    assert (
        urls(file_entity(file_result(), own))[1][1]
        == "https://data.example/items/zenodo.org-7/a.csv"
    )
