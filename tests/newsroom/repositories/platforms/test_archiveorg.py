"""newsroom/repositories/platforms/archiveorg.py: items are listed, fetched and uploaded."""

import hashlib
from dataclasses import dataclass, field

from newsroom.repositories.platforms.archiveorg import ACCESS_KEY, SECRET_KEY
from newsroom.repositories.server import Repositories
from tests.each_row import each_row
from tests.newsroom.repositories.asking import Got, ask, follow

METADATA = "http://archive.example/metadata"
S3 = "http://s3.us.archive.example"
KEYS = {"Authorization": f"LOW {ACCESS_KEY}:{SECRET_KEY}", "x-archive-auto-make-bucket": "1"}


def put(repositories: Repositories, name: str, body: bytes, **headers: str) -> Got:
    return ask(repositories, f"{S3}/{name}", "PUT", body, {**KEYS, **headers})


def test_the_metadata_of_an_item_lists_its_files(shared: Repositories) -> None:
    found = ask(shared, f"{METADATA}/velmora-gauges").json
    originals = [each for each in found["files"] if each["source"] == "original"]
    assert [each["name"] for each in originals] == [
        *("gauges/a b.csv", "READ ME.txt"),
        "velmora-gauges_meta.xml",
    ]
    assert (originals[0]["size"], originals[0]["format"]) == ("2000", "CSV")
    url, got = follow(shared, "http://archive.example/download/velmora-gauges/gauges/a%20b.csv")
    assert url.startswith("http://ia600100.us.archive.example/")
    assert hashlib.sha1(got.body).hexdigest() == originals[0]["sha1"]  # noqa: S324


def test_an_unknown_item_is_an_empty_answer_and_a_dark_one_has_no_files(
    shared: Repositories,
) -> None:
    got = ask(shared, f"{METADATA}/none")
    assert (got.status, got.json) == (200, {})
    dark = ask(shared, f"{METADATA}/velmora-dark").json
    assert (dark["is_dark"], "files" in dark) == (True, False)


def test_an_upload_makes_an_item_with_metadata(own: Repositories) -> None:
    digest = hashlib.md5(b"abc").hexdigest()  # noqa: S324
    got = put(
        own,
        "new-item/sub%20dir/a.txt",
        b"abc",
        **{
            "Content-MD5": digest,
            "x-archive-meta00-creator": "uri(%C5%8Chara)",
            "x-archive-meta01-creator": "Smith",
            "x-archive-meta00-my--key": "value",
        },
    )
    assert got.status == 200
    assert own.items["new-item"].files["sub dir/a.txt"].content.whole() == b"abc"
    found = ask(own, f"{METADATA}/new-item").json
    assert found["files"][0]["md5"] == digest
    assert found["metadata"] == {
        "identifier": "new-item",
        "creator": ["Ōhara", "Smith"],
        "my_key": "value",
    }
    assert follow(own, "http://archive.example/download/new-item/sub%20dir/a.txt")[1].body == b"abc"


def test_an_old_version_is_kept_if_the_client_wants_it(own: Repositories) -> None:
    for body in (b"old", b"new"):
        put(own, "new-item/a", body, **{"x-archive-keep-old-version": "1"})
    files = own.items["new-item"].files
    assert {name: each.content.whole() for name, each in files.items()} == {
        "a": b"new",
        "history/files/a.~1~": b"old",
    }


def test_a_large_upload_is_kept_on_disk(own: Repositories) -> None:
    body = bytes(range(256)) * (5 << 12)
    put(own, "new-item/large", body)
    content = own.items["new-item"].files["large"].content
    assert not isinstance(content.block, bytes)
    assert content.whole() == body


@dataclass
class Refusal:
    """An upload that is refused with a code."""

    code: str
    status: int
    name: str = "new-item/a"
    headers: dict[str, str] = field(default_factory=dict)


REFUSALS = [
    Refusal("AccessDenied", 403, headers={"Authorization": "LOW a:b"}),
    Refusal("InvalidBucketName", 400, name="-x/a"),
    Refusal("NoSuchBucket", 404, headers={"x-archive-auto-make-bucket": "0"}),
    Refusal("BadDigest", 400, headers={"Content-MD5": "0" * 32}),
]


@each_row("row", REFUSALS)
def test_an_upload_is_refused(own: Repositories, row: Refusal) -> None:
    got = put(own, row.name, b"abc", **row.headers)
    assert got.status == row.status
    assert f"<Code>{row.code}</Code>".encode() in got.body
    assert own.items == {}


def test_the_limit_is_told_and_can_be_reached(own: Repositories) -> None:
    url = f"{S3}/?check_limit=1&accesskey=a&bucket=b"
    assert ask(own, url).json == {"bucket": "b", "accesskey": "a", "over_limit": 0, "detail": {}}
    own.faults.switch_on("over-limit@s3.*check_limit*", "503:times=1@PUT s3.*")
    assert ask(own, url).json["over_limit"] == 1
    slow = put(own, "new-item/a", b"abc")
    assert (slow.status, b"<Code>SlowDown</Code>" in slow.body, own.items) == (503, True, {})
    assert put(own, "new-item/a", b"abc").status == 200
