"""One file from its platform: verified, resumed, never a page for browsers in its place.

Servers in the wild: Figshare's firewall answers 202 with no body, or a page; Dataverse ignores
If-Range; Zenodo has strong ETags; signed URLs of S3 end redirects; PHP scripts have no length.
"""

import errno
import hashlib
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from indexer.errors import FilesetError
from indexer.filesets.manifest import FilesetManifestFile
from indexer.filesets.strategies.options import TransferOptions
from indexer.filesets.strategies.transfer import LEFT_FREE, Transfer, check_room
from tests.each_row import each_row
from tests.http.fetching.clients import client
from tests.http.fetching.raw import Conversations, Talk, closed, serving

DATA = b"a,b\n1,2\n" * 9000
HALF = len(DATA) // 2
SHA1 = hashlib.sha1(DATA, usedforsecurity=False).hexdigest()
SHA256 = hashlib.sha256(DATA).hexdigest()
MD5 = hashlib.md5(DATA, usedforsecurity=False).hexdigest()
SHA512 = hashlib.sha512(DATA).hexdigest()
NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def ok(data: bytes = DATA, head: bytes = b"", status: bytes = b"200 OK") -> bytes:
    return b"HTTP/1.1 %b\r\n%bContent-Length: %d\r\n\r\n%b" % (status, head, len(data), data)


def cut(size: int = HALF, head: bytes = b"") -> Talk:
    def talk(sock: Any) -> None:
        sock.sendall(ok(head=head)[: size - len(DATA)])
        closed(sock)

    return talk


REST = b"HTTP/1.1 206 Partial Content\r\nContent-Range: bytes %d-%d/%d\r\n" % (
    HALF, len(DATA) - 1, len(DATA),
) + b"Content-Length: %d\r\n\r\n" % (len(DATA) - HALF) + DATA[HALF:]  # fmt: skip
WRONG_REST = REST.replace(DATA[HALF:], b"x" * (len(DATA) - HALF))
PAGE = ok(b"<html>", b"Content-Type: text/html; charset=utf-8\r\n")
CHALLENGE = ok(b"", b"x-amzn-waf-action: challenge\r\n", b"202 Accepted")
GONE = ok(b"", status=b"404 Not Found")


class Tried:
    """A file from a server that gives its answers one after the other."""

    def __init__(self, path: Path, *answers: bytes | Talk) -> None:
        self.talk = Conversations(*[[answer] for answer in answers])
        self.path = path
        self.slept: list[float] = []
        self.progress: list[tuple[int, int | None]] = []

    def fetch(self, *, fallback: str = "", **given: Any) -> FilesetManifestFile:
        with serving(self.talk, read=False) as server, client(keep_connections=0) as own:
            file = FilesetManifestFile(
                **{"path": "data.csv", "platform_url": f"{server.url}/data.csv", **given}
            )
            if fallback:
                file.add_extra(fallback_url=server.url + fallback)
            transfer = Transfer(own, TransferOptions(), now=lambda: NOW, sleep=self.slept.append)
            transfer.fetch(file, self.path, lambda *each: self.progress.append(each))
            return file

    def failed(self, **given: Any) -> str:
        with pytest.raises(FilesetError) as caught:
            self.fetch(**given)
        return caught.value.status


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "item" / "data.csv"


def test_a_file_is_transferred_and_all_of_it_is_known(path: Path) -> None:
    tried = Tried(path, ok())
    file = tried.fetch()
    assert path.read_bytes() == DATA
    assert file.hashes == {"md5": MD5, "sha1": SHA1, "sha256": SHA256, "sha512": SHA512}
    assert (file.size, file.mimetype, file.status) == (len(DATA), "text/csv", "verified-local")
    assert (file.terminal_url, file.terminal_dt) == (file.platform_url, "20260102030405")
    assert tried.progress[-1] == (len(DATA), len(DATA))
    assert b"\r\nAccept-Encoding: identity\r\n" in tried.talk.requests[0][0]


ANNOUNCED = [
    ({"size": len(DATA), "md5": MD5.upper(), "sha1": SHA1, "sha256": SHA256}, ""),
    ({"extra": {"sha512": SHA512}}, ""),
    ({"size": 1}, "mismatch-size"),
    ({"size": len(DATA) + 1}, "mismatch-size"),
    ({"md5": "0" * 32}, "mismatch-md5"),
    ({"sha1": "0" * 40, "md5": "0" * 32}, "mismatch-sha1"),
    ({"sha256": "0" * 64}, "mismatch-sha256"),
    ({"extra": {"sha512": "0" * 128}}, "mismatch"),
]


@each_row(("given", "status"), ANNOUNCED)
def test_what_was_announced_is_verified(tmp_path: Path, given: dict[str, Any], status: str) -> None:
    path = tmp_path / repr(sorted(given)) / "data.csv"
    tried = Tried(path, ok())
    if status:
        assert tried.failed(**given) == status
        assert not path.exists()
    else:
        assert tried.fetch(**given).status == "verified-local"


def test_a_broken_transfer_fetches_only_the_rest(path: Path) -> None:
    tried = Tried(path, cut(), REST)
    tried.fetch(md5=MD5)
    assert path.read_bytes() == DATA
    assert b"Range: bytes=%d-" % HALF in tried.talk.requests[1][0]


def test_parts_of_two_versions_are_fetched_anew_once(path: Path) -> None:
    tried = Tried(path, cut(), WRONG_REST, ok())
    assert tried.fetch(md5=MD5).sha256 == SHA256
    assert len(tried.talk.requests) == 3


NO_DATA = [
    (CHALLENGE, {}, True),
    (ok(b"", status=b"202 Accepted"), {}, True),
    (PAGE, {}, True),
    (PAGE, {"path": "index.html"}, False),
    (PAGE, {"mimetype": "text/html"}, False),
    (PAGE, {"size": 6}, False),
    (GONE, {}, True),
    (ok(b"", status=b"403 Forbidden"), {}, True),
]


@each_row(("answer", "given", "is_refused"), NO_DATA)
def test_a_page_for_browsers_is_no_file(
    tmp_path: Path, answer: bytes, given: dict[str, Any], is_refused: bool
) -> None:
    path = tmp_path / hashlib.sha256(repr((answer, given)).encode()).hexdigest() / "data"
    if is_refused:
        assert Tried(path, answer).failed(**given) == "error-platform-download"
        assert not path.exists()
    else:
        assert Tried(path, answer).fetch(**given).size == 6


@each_row("answer", [CHALLENGE, PAGE, GONE, ok(b"wrong")])
def test_the_fallback_url_is_asked_next(tmp_path: Path, answer: bytes) -> None:
    tried = Tried(tmp_path / hashlib.sha256(answer).hexdigest() / "a", answer, ok())
    assert tried.fetch(fallback="/fallback", md5=MD5).sha1 == SHA1
    assert b"GET /fallback " in tried.talk.requests[1][0]


def test_a_file_that_is_here_is_verified_and_not_fetched(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(DATA)
    tried = Tried(path)
    assert tried.fetch(md5=MD5).sha1 == SHA1
    assert tried.talk.requests == []


def test_a_wrong_file_that_is_here_is_fetched_again(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"left over")
    assert Tried(path, ok()).fetch(md5=MD5).size == len(DATA)


def test_dots_in_the_path_of_a_file_reach_the_server(path: Path) -> None:
    tried = Tried(path, GONE, ok())
    tried.fetch(fallback="/files/../../up.txt/content")
    assert tried.talk.requests[1][0].startswith(b"GET /files/%2E%2E/%2E%2E/up.txt/content ")


def test_a_file_without_any_url_fails(path: Path) -> None:
    assert Tried(path).failed(platform_url=None) == "error-platform-download"


def test_an_empty_file_is_a_file(path: Path) -> None:
    file = Tried(path, ok(b"")).fetch(size=0)
    assert (file.size, file.mimetype) == (0, "application/x-empty")


def test_signatures_of_urls_are_not_kept(path: Path) -> None:
    signed = (
        b"HTTP/1.1 302 Found\r\nLocation: /s3?X-Amz-Signature=hush&a=1\r\nContent-Length: 0\r\n\r\n"
    )
    file = Tried(path, signed, ok()).fetch()
    assert (file.terminal_url or "").endswith("/s3?X-Amz-Signature=REDACTED&a=1")


def test_a_full_disk_has_a_status(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("indexer.http.fetching.download.PartialFile.open", full)
    assert Tried(path, ok()).failed() == "insufficient-disk"


def test_room_is_checked_before_and_some_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=LEFT_FREE + 1000))
    check_room(tmp_path, 1000)
    with pytest.raises(FilesetError, match="insufficient-disk"):
        check_room(tmp_path, 1001)


HEADS = [
    (ok(b"", b"").replace(b"Content-Length: 0", b"Content-Length: 77"), 77),
    (CHALLENGE, None),
    (GONE, None),
    (b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 77\r\n\r\n", None),
    (b"HTTP/1.1 200 OK\r\n\r\n", None),
]


@each_row(("answer", "size"), HEADS)
def test_an_unknown_size_is_asked_for(answer: bytes, size: int | None) -> None:
    talk = Conversations([answer])
    with serving(talk, read=False) as server, client(keep_connections=0) as own:
        file = FilesetManifestFile(path="a", platform_url=server.url)
        Transfer(own, TransferOptions()).measure(file)
    assert file.size == size
    assert talk.requests[0][0].startswith(b"HEAD ")
