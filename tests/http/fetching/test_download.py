"""Tests of downloads: what arrived is kept, and only bytes of one version come together.

Servers in the wild: S3 and nginx honour Range and If-Range with strong ETags; Apache's dynamic
content and gzip filters have weak ones; Dataverse ignores If-Range; CDNs answer 200 to ranges of
objects that are not cached; proxies of campus networks answer 206 with another range, or only a
part of it; some count from the end; Flask behind gzip middleware encodes ranges; Zenodo has sent
416 for a range that begins at the end; PHP scripts have no length and no validator.
"""

import gzip
import hashlib
import json
import re
import socket
from pathlib import Path
from typing import Any

import pytest

from indexer.errors import FetchError, TooLarge
from indexer.files.hashes import FileHashes
from indexer.http.connections.failures import FetchFailure
from indexer.http.fetching import Request
from indexer.http.fetching.download import WAITS, Downloaded, DownloadTerms, download
from indexer.http.fetching.partial import FileVersion
from tests.clock import Clock
from tests.each_row import each_row
from tests.http.fetching.clients import client
from tests.http.fetching.raw import Conversations, Talk, serving

FILE = bytes(range(256)) * 1000
HALF = len(FILE) // 2
ETAG = b'ETag: "v1"\r\n'


def whole(data: bytes = FILE, head: bytes = ETAG) -> bytes:
    return b"HTTP/1.1 200 OK\r\n%bContent-Length: %d\r\n\r\n%b" % (head, len(data), data)


def cut(data: bytes = FILE, head: bytes = ETAG, size: int = HALF) -> Talk:
    """A whole file, whose connection breaks after `size` bytes."""

    def talk(sock: socket.socket) -> None:
        sock.sendall(whole(data, head)[: size - len(data)])
        sock.close()

    return talk


def rest(start: int = HALF, data: bytes = FILE, head: bytes = ETAG, total: bytes = b"") -> bytes:
    """The file from a byte on."""
    size, total = len(data), total or b"%d" % len(data)
    given = b"Content-Range: bytes %d-%d/%b\r\n" % (start, size - 1, total)
    line = b"HTTP/1.1 206 Partial Content\r\n"
    return line + head + given + b"Content-Length: %d\r\n\r\n" % (size - start) + data[start:]


class Tried:
    """A download from a server that gives its answers one after the other."""

    def __init__(self, path: Path, *answers: bytes | Talk, **terms: Any) -> None:
        self.talk = Conversations(*[[answer] for answer in answers])
        self.path = path
        self.slept: list[float] = []
        self.seen: list[tuple[int, int | None]] = []
        self._terms = terms

    def run(self, url: str = "/data.bin", **request: Any) -> Downloaded:
        with serving(self.talk, read=False) as server, client(keep_connections=0) as own:
            return download(
                own,
                Request(url=server.url + url, **request),
                self.path,
                DownloadTerms(
                    progress=lambda done, total: self.seen.append((done, total)),
                    sleep=self.slept.append,
                    **self._terms,
                ),
            )

    @property
    def ranges(self) -> list[bytes]:
        """Range and If-Range of each request."""
        return [b" ".join(_RANGES.findall(each[0])) for each in self.talk.requests]


_RANGES = re.compile(rb"\r\n(?:If-)?Range: ([^\r]*)")
ASKED = b'bytes=%d- "v1"' % HALF


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data.bin"


def only(path: Path) -> bytes:
    """The file, which is the only one in its directory."""
    assert list(path.parent.iterdir()) == [path]
    return path.read_bytes()


def test_a_file_is_downloaded_as_it_is(path: Path) -> None:
    tried = Tried(path, whole())
    done = tried.run()
    assert only(path) == FILE
    assert (done.size, done.requests, done.response.headers["etag"]) == (len(FILE), 1, '"v1"')
    assert tried.seen[-1] == (len(FILE), len(FILE))
    assert tried.ranges == [b""]
    assert b"\r\nAccept-Encoding: identity\r\n" in tried.talk.requests[0][0]


def test_a_download_goes_on_where_its_connection_broke(path: Path) -> None:
    tried = Tried(path, cut(), rest())
    assert tried.run().requests == 2
    assert only(path) == FILE
    assert tried.ranges == [b"", ASKED]
    assert tried.slept == [WAITS[0]]
    assert [done for done, _ in tried.seen] == sorted(done for done, _ in tried.seen)


def test_interim_answers_before_a_file_are_no_part_of_it(path: Path) -> None:
    hints = b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n"
    tried = Tried(path, cut(), b"HTTP/1.1 102 Processing\r\n\r\n" + hints + rest())
    assert tried.run().requests == 2
    assert only(path) == FILE


def test_another_process_goes_on(path: Path) -> None:
    class Killed(BaseException):
        pass

    def kill(done: int, total: int | None) -> None:
        if done >= HALF:
            raise Killed

    with (
        serving(Conversations([whole()]), read=False) as server,
        client() as own,
        pytest.raises(Killed),
    ):
        download(own, Request(url=server.url), path, DownloadTerms(progress=kill))
    have = path.with_name("data.bin.part").stat().st_size
    assert have >= HALF
    assert not path.exists()

    tried = Tried(path, rest(have))
    tried.run()
    assert only(path) == FILE
    assert tried.ranges == [b'bytes=%d- "v1"' % have]


CHANGED = FILE[::-1]
MODIFIED = b"Last-Modified: Mon, 05 Jan 2026 10:00:00 GMT\r\n"
LATER = b"Date: Mon, 05 Jan 2026 10:01:00 GMT\r\n"
SOON = b"Date: Mon, 05 Jan 2026 10:00:59 GMT\r\n"


ANEW: dict[str, tuple[bytes, list[bytes]]] = {
    "If-Range: another version": (ETAG, [whole(CHANGED, b'ETag: "v2"\r\n')]),
    "ranges are not known": (ETAG, [whole(CHANGED, ETAG)]),
    "If-Range is ignored, another ETag": (ETAG, [rest(HALF, head=b'ETag: "v2"\r\n')]),
    "If-Range is ignored, another length": (ETAG, [rest(HALF, data=FILE + b"more")]),
    "If-Range is ignored, another date": (
        MODIFIED + LATER, [rest(HALF, head=MODIFIED.replace(b"05", b"06"))]),
    "the wrong range": (ETAG, [rest(HALF + 1)]),
    "a range from the first byte": (ETAG, [rest(0)]),
    "no Content-Range": (ETAG, [b"HTTP/1.1 206 Partial\r\nContent-Length: 4\r\n\r\npart"]),
    "several ranges": (
        ETAG, [b"HTTP/1.1 206 Partial\r\nContent-Type: multipart/byteranges; boundary=a\r\n"
               b"Content-Length: 4\r\n\r\npart"]),
    "an encoded range": (ETAG, [rest(head=ETAG + b"Content-Encoding: gzip\r\n")]),
    "no such range": (
        ETAG, [b"HTTP/1.1 416 No\r\nContent-Range: bytes */100\r\nContent-Length: 0\r\n\r\n"]),
}  # fmt: skip


@pytest.mark.parametrize("name", ANEW)
def test_bytes_of_another_version_begin_anew(path: Path, name: str) -> None:
    head, answers = ANEW[name]
    tried = Tried(path, cut(head=head), *answers, whole(CHANGED))
    tried.run()
    assert only(path) == CHANGED
    assert tried.ranges[1].startswith(b"bytes=%d- " % HALF)
    assert set(tried.ranges[2:]) <= {b""}


@each_row(
    ("head", "has_checksum", "second"),
    [
        (ETAG, False, ASKED),
        (MODIFIED + LATER, False, b"bytes=%d- Mon, 05 Jan 2026 10:00:00 GMT" % HALF),
        (MODIFIED + SOON, False, b""),
        (MODIFIED, False, b""),
        (b'ETag: W/"v1"\r\n' + MODIFIED + LATER, False, b""),
        (b"", False, b""),
        (b'ETag: W/"v1"\r\n', True, b"bytes=%d-" % HALF),
        (b"", True, b"bytes=%d-" % HALF),
    ],
)
def test_only_a_strong_validator_or_a_checksum_lets_a_download_go_on(
    path: Path, head: bytes, has_checksum: bool, second: bytes
) -> None:
    then = rest(head=head) if second else whole(head=head)
    tried = Tried(path, cut(head=head), then, has_checksum=has_checksum)
    tried.run()
    assert only(path) == FILE
    assert tried.ranges == [b"", second]


def test_a_server_without_ranges_sends_the_whole_file_of_known_size(path: Path) -> None:
    tried = Tried(path, cut(), whole(), size=len(FILE))
    assert tried.run().is_resumed
    assert only(path) == FILE


def test_a_weak_etag_that_changes_is_noticed_with_a_checksum_too(path: Path) -> None:
    weak, other = b'ETag: W/"v1"\r\n', b'ETag: W/"v2"\r\n'
    tried = Tried(path, cut(head=weak), rest(head=other), whole(CHANGED, other), has_checksum=True)
    tried.run()
    assert only(path) == CHANGED


def test_416_at_the_end_means_that_all_bytes_are_here(path: Path) -> None:
    """The program was killed between the last byte and the end of the download."""
    end = b"HTTP/1.1 416 Range Not Satisfiable\r\nContent-Length: 0\r\n%b\r\n"
    for answer in (end % b"Content-Range: bytes */%d\r\n" % len(FILE), end % b""):
        path.with_name("data.bin.part").write_bytes(FILE)
        version = json.dumps({"etag": '"v1"', "size": len(FILE)})
        path.with_name("data.bin.part.json").write_text(version)
        Tried(path, answer).run()
        assert only(path) == FILE
        path.unlink()


def test_a_part_of_the_rest_is_taken_and_the_rest_of_it_asked_for(path: Path) -> None:
    middle = HALF + 1000
    span = b"Content-Range: bytes %d-%d/%d\r\n" % (HALF, middle - 1, len(FILE))
    head = b"HTTP/1.1 206 P\r\nContent-Length: 1000\r\n" + ETAG + span
    part = head + b"\r\n" + FILE[HALF:middle]
    tried = Tried(path, cut(), part, rest(middle))
    tried.run()
    assert only(path) == FILE


def test_a_range_whose_total_is_unknown_is_taken(path: Path) -> None:
    Tried(path, cut(head=ETAG), rest(total=b"*")).run()
    assert only(path) == FILE


def test_a_file_without_a_length_is_whole_when_its_body_is(path: Path) -> None:
    chunks = b"%x\r\n%b\r\n0\r\n\r\n" % (len(FILE), FILE)
    Tried(path, b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks).run()
    assert only(path) == FILE


def test_a_length_that_is_known_before_is_checked(path: Path) -> None:
    until_closed = b"HTTP/1.0 200 OK\r\n\r\n"
    Tried(path, until_closed + FILE[:HALF], until_closed + FILE, size=len(FILE)).run()
    assert only(path) == FILE
    for answer in (whole(FILE[:HALF]), whole(FILE + b"x"), until_closed + FILE + b"x"):
        path.unlink(missing_ok=True)
        with pytest.raises((FetchError, TooLarge)) as failed:
            Tried(path, answer, size=len(FILE)).run()
        assert failed.value.failure == FetchFailure.SIZE
        assert not path.exists()


def test_a_file_may_have_a_limit(path: Path) -> None:
    with pytest.raises(TooLarge):
        Tried(path, whole()).run(max_bytes=HALF)


@each_row(
    ("url", "head", "stored"),
    [
        ("/data.tgz", b"Content-Encoding: x-gzip\r\n", True),
        ("/data", b"Content-Encoding: gzip\r\nContent-Type: application/gzip\r\n", True),
        ("/data.csv", b"Content-Encoding: gzip\r\nContent-Type: text/csv\r\n", False),
    ],
)
def test_an_encoding_of_the_transfer_is_undone_and_one_of_the_file_is_not(
    path: Path, url: str, head: bytes, stored: bool
) -> None:
    packed = gzip.compress(FILE, mtime=0)
    Tried(path, whole(packed, head)).run(url)
    assert only(path) == (packed if stored else FILE)


def test_a_busy_server_is_waited_for(path: Path) -> None:
    busy = b"HTTP/1.1 503 Busy\r\nRetry-After: 77\r\nContent-Length: 0\r\n\r\n"
    tried = Tried(path, busy, cut(), busy.replace(b"77", b"0"), rest())
    tried.run()
    assert only(path) == FILE
    assert tried.slept == [77.0, WAITS[0], WAITS[1]]


@each_row("status", [b"401 No", b"403 No", b"404 No", b"410 Gone", b"416 No", b"202 Wait"])
def test_another_answer_ends_the_download_at_once(path: Path, status: bytes) -> None:
    tried = Tried(path, b"HTTP/1.1 %b\r\nContent-Length: 0\r\n\r\n" % status)
    with pytest.raises(FetchError) as failed:
        tried.run()
    assert failed.value.status == f"http-{status[:3].decode()}"
    assert tried.slept == []


def test_attempts_without_a_new_byte_are_limited(path: Path) -> None:
    tried = Tried(path, cut(), *[cut(size=0)] * (len(WAITS) + 1))
    with pytest.raises(FetchError):
        tried.run()
    # The first attempt brought bytes, so it is none of them.
    assert tried.slept == [*WAITS]


def test_a_file_that_changes_all_the_time_is_given_up(path: Path) -> None:
    versions = [cut(head=b'ETag: "%d"\r\n' % number) for number in range(20)]
    tried = Tried(path, *versions)
    with pytest.raises(FetchError):
        tried.run()
    assert len(tried.slept) == len(WAITS)


def test_all_attempts_share_one_deadline(path: Path, clock: Clock) -> None:
    talk = Conversations(*[[cut(size=size)] for size in range(1000, 100_000, 1000)])
    with serving(talk, read=False) as server, client(clock) as own, pytest.raises(FetchError):
        download(
            own,
            Request(url=server.url, seconds=100.0),
            path,
            DownloadTerms(sleep=clock.sleep),
        )
    assert len(talk.requests) < 2 + 100.0 / WAITS[0]


def test_secrets_and_headers_go_with_every_attempt(path: Path) -> None:
    tried = Tried(path, cut(), rest())
    tried.run(headers=lambda _: {"X-Own": "1"})
    assert all(b"\r\nX-Own: 1\r\n" in each[0] for each in tried.talk.requests)


def test_an_unreadable_note_is_no_reason_to_fail(path: Path) -> None:
    for note in (b"", b"[]", b'{"x": 1}', b"\xff"):
        path.with_name("data.bin.part").write_bytes(FILE[:HALF])
        path.with_name("data.bin.part.json").write_bytes(note)
        tried = Tried(path, whole())
        tried.run()
        assert (only(path), tried.ranges) == (FILE, [b""])


@each_row(
    ("one", "two", "contradict"),
    [
        (FileVersion('"a"'), FileVersion('"a"'), False),
        (FileVersion('"a"'), FileVersion('"b"'), True),
        (FileVersion('"a"', "monday"), FileVersion("", "monday"), False),
        (FileVersion(size=5), FileVersion('"a"'), False),
        (FileVersion(size=5), FileVersion(size=6), True),
        (FileVersion("", "monday"), FileVersion("", "tuesday"), True),
    ],
)
def test_versions_contradict_each_other_by_what_both_say(
    one: FileVersion, two: FileVersion, contradict: bool
) -> None:
    assert one.contradicts(two) == contradict


@pytest.mark.parametrize(
    "answers",
    [
        [whole()],
        [cut(), rest()],
        [cut(), whole(b"other", b'ETag: "v2"\r\n'), whole()],
    ],
)
def test_hashes_are_of_the_bytes_of_the_file(path: Path, answers: list[Any]) -> None:
    hashes = FileHashes(["sha256", "sha512"])
    Tried(path, *answers, hashes=hashes).run()
    data = path.read_bytes()
    assert hashes.size == len(data)
    assert hashes.digests() == {
        "sha256": hashlib.sha256(data).hexdigest(),
        "sha512": hashlib.sha512(data).hexdigest(),
    }


def test_hashes_include_the_bytes_of_another_process(path: Path) -> None:
    hashes = FileHashes(["sha256"])
    path.with_name(f"{path.name}.part").write_bytes(FILE[:HALF])
    path.with_name(f"{path.name}.part.json").write_text('{"etag": "\\"v1\\""}')
    Tried(path, rest(), hashes=hashes).run()
    assert hashes.digests() == {"sha256": hashlib.sha256(FILE).hexdigest()}
