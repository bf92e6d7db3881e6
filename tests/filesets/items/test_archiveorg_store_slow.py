"""The store of archive.org: what goes over the wire, and how each refusal ends."""

import io
from collections.abc import Callable
from typing import BinaryIO, cast

import pytest

from indexer.errors import AccessDenied, ConfigurationError, NotFound, StorageError
from indexer.filesets.items.archiveorg_api import WAITS
from indexer.filesets.items.archiveorg_store import ArchiveorgStore
from tests.each_row import each_row
from tests.filesets.items.conftest import ArchiveorgImitation

S3 = "s3.us.archive.example"
KEY = "item-1/data/a b.csv"


@pytest.fixture
def store(archiveorg: ArchiveorgImitation) -> ArchiveorgStore:
    return archiveorg.store()


def put(store: ArchiveorgStore, key: str = KEY, data: bytes = b"1,2\n") -> str:
    return store.put(key, io.BytesIO(data))


def test_an_upload_makes_an_item_with_its_metadata(
    archiveorg: ArchiveorgImitation, store: ArchiveorgStore
) -> None:
    metadata: dict[str, str | list[str]] = {
        "collection": "datasets",
        "creator": ["Doe, Jane", "Ærø, Åse"],
        "external_id": "urn:doi:10.5/x",
        "description": "<p>One</p>\n<p>two</p>",
    }
    store.describe("item-1", metadata, 4)
    assert put(store) == "http://archive.example/download/item-1/data/a b.csv"
    item = archiveorg.served.items["item-1"]
    assert item.files["data/a b.csv"].content.whole() == b"1,2\n"
    found = {key: value[0] if len(value) == 1 else value for key, value in item.metadata.items()}
    assert found == {**metadata, "scanner": "story-indexer"}
    assert item.size_hint == "4"


def test_a_replaced_file_is_kept_in_history(
    archiveorg: ArchiveorgImitation, store: ArchiveorgStore
) -> None:
    put(store)
    put(store, data=b"3,4\n")
    assert sorted(archiveorg.served.items["item-1"].files) == [
        "data/a b.csv",
        "history/files/data/a b.csv.~1~",
    ]
    (entry,) = store.entries("item-1/")
    assert (entry.key, entry.size, sorted(entry.hashes)) == (KEY, 4, ["md5", "sha1"])


@each_row(
    ("fault", "pauses"),
    [
        (f"503:times=2@PUT {S3}/*", 2),
        (f"400:times=1@PUT {S3}/*", 1),
        ("over-limit:times=3@*check_limit*", 3),
    ],
)
def test_a_passing_refusal_is_waited_for(fault: str, pauses: int) -> None:
    with ArchiveorgImitation.served_with(fault) as archiveorg:
        store = archiveorg.store()
        put(store)
        assert archiveorg.slept == list(WAITS[:pauses])
        assert store.open(KEY).read() == b"1,2\n"


def test_an_upload_is_sent_again_after_a_lost_connection() -> None:
    with ArchiveorgImitation.served_with(f"refuse:times=3@PUT {S3}/*") as archiveorg:
        store = archiveorg.store()
        put(store)
        assert archiveorg.slept
        assert store.open(KEY).read() == b"1,2\n"


@each_row(
    ("fault", "kind", "why"),
    [
        (f"503@PUT {S3}/*", StorageError, "HTTP 503: SlowDown: Please reduce"),
        ("over-limit@*check_limit*", StorageError, "over the limit"),
        (f"refuse@PUT {S3}/*", StorageError, "connection reset"),
        (f"403@PUT {S3}/*", AccessDenied, "HTTP 403"),
        (f"409@PUT {S3}/*", StorageError, "HTTP 409"),
    ],
)
def test_a_lasting_refusal_is_an_error(fault: str, kind: type[StorageError], why: str) -> None:
    with (
        ArchiveorgImitation.served_with(fault) as archiveorg,
        pytest.raises(kind, match=why),
    ):
        put(archiveorg.store())


@pytest.mark.parametrize("name", ["IA_ACCESS_KEY", "IA_SECRET_KEY"])
def test_keys_are_needed_for_uploads_only(archiveorg: ArchiveorgImitation, name: str) -> None:
    put(archiveorg.store())
    store = archiveorg.store(**{name: ""})
    assert [entry.key for entry in store.entries()] == []
    assert store.open(KEY).read() == b"1,2\n"
    calls: list[Callable[[], object]] = [
        lambda: put(store),
        lambda: store.delete(KEY),
        lambda: store.describe("item-1", {}, 0),
    ]
    for call in calls:
        with pytest.raises(AccessDenied, match="set IA_ACCESS_KEY and IA_SECRET_KEY"):
            call()


def test_a_wrong_key_is_refused(archiveorg: ArchiveorgImitation) -> None:
    with pytest.raises(AccessDenied, match="HTTP 403: AccessDenied") as error:
        put(archiveorg.store(IA_SECRET_KEY="hush-hush"))
    assert "hush" not in str(error.value)


@each_row("name", ["ab", "x" * 101, "-ab", "a b c", "ünï"])
def test_names_that_no_item_can_have_are_refused(name: str) -> None:
    with ArchiveorgImitation.served_with() as archiveorg:
        for call in (archiveorg.store().describe, lambda name, *_: put(archiveorg.store(), name)):
            with pytest.raises(StorageError, match=r"no name of an archive\.org item"):
                call(f"{name}", {}, 0)


def test_an_upload_of_other_bytes_than_expected_is_refused(store: ArchiveorgStore) -> None:
    with pytest.raises(StorageError, match="another sha256"):
        store.put(KEY, io.BytesIO(b"1"), "0" * 64)


def test_a_file_that_can_be_read_only_once_is_stored(store: ArchiveorgStore) -> None:
    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

    store.put(KEY, cast(BinaryIO, Pipe(b"once")))
    assert store.open(KEY).read() == b"once"


@pytest.mark.parametrize("fault", ["reset", "truncate"])
def test_a_download_goes_on_where_it_was(
    archiveorg: ArchiveorgImitation, store: ArchiveorgStore, fault: str
) -> None:
    data = bytes(range(256)) * 4000
    put(store, data=data)
    archiveorg.served.faults.switch_on(f"{fault}:times=2:bytes=400000@ia600100*")
    with store.open(KEY) as file:
        assert file.read() == data
    starts = [entry.start for entry in archiveorg.served.log.entries if "ia600100" in entry.url]
    assert starts[0] == 0
    assert len(starts) == 3
    assert starts[2] > starts[1] > 0


def test_a_server_without_ranges_sends_all_again(
    archiveorg: ArchiveorgImitation, store: ArchiveorgStore
) -> None:
    data = bytes(range(256)) * 4000
    put(store, data=data)
    archiveorg.served.faults.switch_on("reset:times=1:bytes=400000@ia600100*", "no-range@ia600100*")
    assert store.open(KEY).read() == data


def test_a_download_that_always_breaks_is_an_error(
    archiveorg: ArchiveorgImitation, store: ArchiveorgStore
) -> None:
    put(store, data=bytes(1000))
    archiveorg.served.faults.switch_on("reset:bytes=0@ia600100*")
    with store.open(KEY) as file, pytest.raises(StorageError, match="reset"):
        file.read()


def test_what_is_missing_is_not_found(store: ArchiveorgStore) -> None:
    for call in (store.open, store.stat, store.versions):
        with pytest.raises(NotFound):
            call("item-1/none")
    store.delete("item-1/none")


def test_versions_are_hashes(store: ArchiveorgStore) -> None:
    put(store)
    (version,) = store.versions(KEY)
    assert (version.size, len(version.id)) == (4, 32)
    assert store.open(KEY, version.id).read() == b"1,2\n"
    with pytest.raises(NotFound, match="was replaced"):
        store.open(KEY, "other")


@pytest.mark.parametrize(
    ("fault", "why"),
    [("404@*metadata*", "HTTP 404"), ("over-limit@*metadata*", "has no files")],
)
def test_an_answer_without_metadata_is_an_error(
    archiveorg: ArchiveorgImitation, store: ArchiveorgStore, fault: str, why: str
) -> None:
    archiveorg.served.faults.switch_on(fault)
    with pytest.raises(StorageError, match=why):
        list(store.entries("item-1/"))


def test_a_dark_item_is_refused(archiveorg: ArchiveorgImitation, store: ArchiveorgStore) -> None:
    (dark,) = (
        each
        for each in archiveorg.served.catalogue
        if each.platform == "archiveorg" and each.state == "gone"
    )
    with pytest.raises(AccessDenied, match="is dark"):
        list(store.entries(f"{dark.id}/"))


def test_the_url_of_the_server_has_no_path(archiveorg: ArchiveorgImitation) -> None:
    with pytest.raises(ConfigurationError, match="has no path"):
        archiveorg.store(ARCHIVEORG_S3_URL="https://archive.org/details")
