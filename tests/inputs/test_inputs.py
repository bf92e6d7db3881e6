"""Inputs of all kinds, by name."""

import gzip
import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Response

from indexer.blobstore import BlobEntry, StoreCredentials
from indexer.blobstore.directory import Directory
from indexer.errors import AccessDenied, ConfigurationError, FetchError, InputError
from indexer.http.fetching import FetchOptions
from indexer.http.fetching.client import Client
from indexer.inputs import sources
from indexer.inputs.inputs import Input, Inputs
from tests.each_row import each_row


def no_fetch(url: str) -> BinaryIO:
    """A web without any page."""
    raise FetchError(f"HTTP 404 {url}", "http-404")


@pytest.fixture
def fetch() -> Callable[[str], BinaryIO]:
    """The real client, with access to this machine."""
    return Client(FetchOptions(allow_private=True)).open


INPUTS = Inputs(no_fetch)


def names(*given: str, inputs: Inputs = INPUTS) -> list[str]:
    """The names of the inputs that are found."""
    return [found.name for found in inputs.find(given)]


def only(*given: str, inputs: Inputs = INPUTS) -> Input:
    """The only input that is found."""
    (found,) = inputs.find(given)
    return found


def content(found: Input) -> bytes:
    """The content of an input."""
    with found.open() as file:
        return file.read()


def test_a_file_is_known_by_its_absolute_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.csv").write_bytes(b"x")
    monkeypatch.chdir(tmp_path)
    path = str(tmp_path / "a.csv")
    assert names("a.csv", path, f"file://{path}") == [path, path, path]
    assert content(only("a.csv")) == b"x"


def test_what_is_gzip_is_unpacked_whatever_its_name(tmp_path: Path) -> None:
    (tmp_path / "packed.csv").write_bytes(gzip.compress(b"text"))
    (tmp_path / "plain.csv.gz").write_bytes(b"text")
    assert [content(found) for found in INPUTS.find([str(tmp_path)])] == [b"text", b"text"]


def test_a_directory_stands_for_the_files_below_it_the_newest_first(tmp_path: Path) -> None:
    for name in ("2024/01.csv", "2024/02.csv", "2023/12.csv", "2024-a.csv"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    assert [name.removeprefix(f"{tmp_path}/") for name in names(str(tmp_path))] == [
        "2024/02.csv",
        "2024/01.csv",
        "2024-a.csv",
        "2023/12.csv",
    ]


def test_hidden_files_pipes_and_loops_in_a_directory_are_left_out(tmp_path: Path) -> None:
    (tmp_path / ".hidden").write_bytes(b"")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/config").write_bytes(b"")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    (tmp_path / "file").write_bytes(b"")
    assert names(str(tmp_path)) == [str(tmp_path / "file")]


def test_a_directory_without_files_is_an_error_unless_files_may_come(tmp_path: Path) -> None:
    assert names(str(tmp_path), inputs=Inputs(no_fetch, may_be_empty=True)) == []
    with pytest.raises(InputError, match=f"{tmp_path}: no files are there"):
        names(str(tmp_path))
    with pytest.raises(InputError, match=r"no files like \*\.csv or \*\.txt are there"):
        names(str(tmp_path), inputs=Inputs(no_fetch, only=["*.csv", "*.txt"]))


def test_patterns_choose_what_of_a_directory_is_read(tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv.gz", "c.txt"):
        (tmp_path / name).write_bytes(b"")
    chosen = Inputs(no_fetch, only=["*.csv", "*.csv.gz"])
    assert names(str(tmp_path), inputs=chosen) == [
        str(tmp_path / "b.csv.gz"),
        str(tmp_path / "a.csv"),
    ]


@pytest.mark.parametrize("only", [[], ["mc-*"]])
def test_the_indexes_that_lie_beside_archives_are_no_inputs(
    tmp_path: Path, only: list[str]
) -> None:
    for name in ("mc-1.warc.gz", "mc-1.warc.gz.cdxj"):
        (tmp_path / name).write_bytes(b"")
    found = names(str(tmp_path), inputs=Inputs(no_fetch, only=only))
    assert found == [str(tmp_path / "mc-1.warc.gz")]


def test_an_index_is_left_out_where_its_archive_is_named_too(tmp_path: Path) -> None:
    archive, index, lone = (tmp_path / name for name in ("1.warc", "1.warc.cdxj", "2.warc.cdxj"))
    for path in (archive, index, lone):
        path.write_text("")
    # As a shell writes `*`.
    given = [str(archive), str(index), str(lone)]
    assert names(*given) == [str(archive), str(lone)]
    unread: list[InputError] = []
    found = INPUTS.available(given, unread.append)
    assert [each.name for each in found] == [str(archive), str(lone)]
    assert unread == []


def test_missing_files_are_all_named_before_anything_is_read(tmp_path: Path) -> None:
    (tmp_path / "there").write_bytes(b"")
    with pytest.raises(InputError, match=r"no such file or directory: missing1, file:///missing2"):
        INPUTS.find([str(tmp_path / "there"), "missing1", "file:///missing2"])


@each_row(
    "name", ["ftp://a.example/feed", "", "s3://bucket/a*b*", "s3://bucket/*/b", "gs://b/k", "a\0b"]
)
def test_what_is_no_name_is_an_error(name: str) -> None:
    with pytest.raises(ConfigurationError):
        INPUTS.find([name])


def test_a_list_names_inputs_one_a_line(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / name).write_bytes(b"")
    listed = tmp_path / "list"
    lines = f"\ufeff# inputs\n{tmp_path}/a\r\n\n  {tmp_path}/b  \n#{tmp_path}/c\n"
    listed.write_text(lines, encoding="utf-8")
    assert names(f"@{listed}", str(tmp_path / "c")) == [str(tmp_path / name) for name in "abc"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"@other", "a list can't name another"),
        (b"/missing/file", "no such file or directory"),
        (b"\xff\xfe\xff", "not UTF-8"),
    ],
)
def test_a_list_that_can_not_be_followed_is_an_error(
    tmp_path: Path, text: bytes, message: str
) -> None:
    (tmp_path / "list").write_bytes(text)
    with pytest.raises(InputError, match=message):
        INPUTS.find([f"@{tmp_path}/list"])


def test_a_list_that_is_missing_is_an_error() -> None:
    with pytest.raises(InputError, match="@missing: No such file"):
        INPUTS.find(["@missing"])


def test_standard_input_is_read_once_and_not_tracked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(gzip.compress(b"from a pipe"))
    real = io.open
    monkeypatch.setattr(
        sources, "open", lambda _, *args, **kw: real(tmp_path / "file", "rb", 0), raising=False
    )
    found = only("-")
    assert (found.name, found.tracked, found.version()) == ("standard input", False, "")
    assert found.head() == b"from a pipe"
    assert content(found) == b"from a pipe"


def test_a_pipe_that_is_named_is_not_tracked(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert not only(str(tmp_path / "pipe")).tracked


def test_the_version_of_a_file_changes_with_it(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"one")
    found = only(str(path))
    before = found.version()
    assert found.version() == before
    path.write_bytes(b"other")
    assert found.version() != before
    later = found.version()
    os.utime(path, (1, 1))
    assert found.version() != later


def test_a_file_that_is_gone_is_an_input_error(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"")
    found = only(str(path))
    path.unlink()
    for use in (found.open, found.version, found.head):
        with pytest.raises(InputError, match=str(path)):
            use()


def test_the_head_is_the_beginning_of_the_content(tmp_path: Path) -> None:
    text = b"x" * 100_000
    (tmp_path / "a").write_bytes(text)
    (tmp_path / "b").write_bytes(gzip.compress(text))
    (tmp_path / "c").write_bytes(gzip.compress(text)[:-50])
    for found in INPUTS.find([str(tmp_path)]):
        assert len(found.head(1000)) == 1000
        assert text.startswith(found.head())


def test_a_url_is_downloaded(httpserver: HTTPServer, fetch: Callable[[str], BinaryIO]) -> None:
    httpserver.expect_request("/feed.xml").respond_with_data(gzip.compress(b"<rss/>"))
    found = only(httpserver.url_for("/feed.xml?a=1"), inputs=Inputs(fetch))
    assert found.name == httpserver.url_for("/feed.xml?a=1")
    assert found.tracked
    assert found.head() == b"<rss/>"
    assert content(found) == b"<rss/>"


def test_a_url_is_fetched_once_for_its_version_and_its_content(
    httpserver: HTTPServer, fetch: Callable[[str], BinaryIO]
) -> None:
    bodies = iter([b"one", b"two"])
    httpserver.expect_request("/f").respond_with_handler(lambda _: Response(next(bodies)))
    found = only(httpserver.url_for("/f"), inputs=Inputs(fetch))
    first = found.version()
    assert content(found) == b"one"
    assert content(found) == b"two"
    assert found.version() != first


def test_the_version_of_a_url_is_its_content(
    httpserver: HTTPServer, fetch: Callable[[str], BinaryIO]
) -> None:
    httpserver.expect_request("/f").respond_with_data(b"same")
    first, second = Inputs(fetch).find([httpserver.url_for("/f")] * 2)
    assert first.version() == second.version()
    first.close()
    second.close()


def test_a_download_that_breaks_off_is_an_error_before_anything_is_read() -> None:
    class Short(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            if not (data := super().read(size)):
                raise FetchError("connection reset")
            return data

    found = only("https://a.example/f", inputs=Inputs(lambda _: Short(b"x" * 100_000)))
    with pytest.raises(InputError, match="/f: connection reset"):
        found.open()


def test_a_download_has_a_limit(
    httpserver: HTTPServer, fetch: Callable[[str], BinaryIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "MAX_DOWNLOAD_BYTES", 999)
    httpserver.expect_request("/f").respond_with_data(b"x" * 1000)
    with pytest.raises(InputError, match="/f: larger than 999 bytes"):
        only(httpserver.url_for("/f"), inputs=Inputs(fetch)).open()


def test_a_url_that_is_not_there_is_an_input_error(
    httpserver: HTTPServer, fetch: Callable[[str], BinaryIO]
) -> None:
    url = httpserver.url_for("/missing")
    with pytest.raises(InputError, match=f"{url}: HTTP 500"):
        only(url, inputs=Inputs(fetch)).open()


def test_passwords_in_urls_are_not_part_of_the_name() -> None:
    found = only("https://user:hush@feeds.example:8443/a?b=c")
    assert found.name == "https://feeds.example:8443/a?b=c"
    with pytest.raises(InputError) as raised:
        found.open()
    assert "hush" not in repr(found)
    assert "hush" not in str(raised.value).partition(": ")[0]


@each_row("url", ["file:///etc/passwd", "s3://bucket/key", "/etc/passwd", "@list"])
def test_a_file_may_name_nothing_but_the_web(url: str) -> None:
    with pytest.raises(InputError, match="only http"):
        INPUTS.on_the_web(url, 1)


def test_a_refusal_leads_to_the_next_credentials(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Refusing(Directory):
        def entries(self, prefix: str = "") -> Iterator[BlobEntry]:
            raise AccessDenied(prefix)

    def open_blobstore(url: str, credentials: StoreCredentials) -> Directory:
        return (Refusing if credentials.region == "RSS" else Directory)(tmp_path)

    for store in ("RSS", "QUEUER"):
        for item in ("REGION", "ACCESS_KEY_ID", "SECRET_ACCESS_KEY"):
            monkeypatch.setenv(f"{store}_S3_{item}", store)
    monkeypatch.setattr("indexer.blobstore.credentials.open_blobstore", open_blobstore)
    (tmp_path / "feed.xml").write_bytes(b"<rss/>")
    found = only("s3://bucket/feed*", inputs=Inputs(no_fetch, ("RSS", "QUEUER")))
    assert content(found) == b"<rss/>"
    with pytest.raises(InputError, match="feed"):
        names("s3://bucket/feed*", inputs=Inputs(no_fetch, ("RSS",)))


def test_a_list_has_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("indexer.inputs.inputs.MAX_LIST_BYTES", 3)
    (tmp_path / "list").write_bytes(b"a\nb\n")
    with pytest.raises(InputError, match="at most 3 bytes"):
        INPUTS.find([f"@{tmp_path}/list"])


def test_the_head_of_what_can_not_be_unpacked_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(gzip.compress(b"x")[:5])
    with pytest.raises(InputError, match="cut off"):
        only(str(tmp_path / "a")).head()
