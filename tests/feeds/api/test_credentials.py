"""The requests that each pair of credentials may send."""

import base64
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from indexer.database import Database
from indexer.errors import ConfigurationError
from indexer.feeds.api.credentials import ApiCredentials, CredentialOptions, Pair
from tests.each_row import each_row
from tests.feeds.new_database import new_feeds
from tests.feeds.served import METHODS, NOBODY, ONE_PAIR, READER, TWO_PAIRS, WRITER, client

READS = [("GET", path) for path in METHODS]
WRITES = [
    ("POST", "/api/feeds/1/fetch-soon"),
    ("POST", "/api/sources/3/fetch-soon"),
    ("GET", "/api/try?url=https://a.example/"),
]


@pytest.fixture(scope="module")
def empty_feeds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """An empty database, for tests that write nothing."""
    database = new_feeds(f"sqlite:///{tmp_path_factory.mktemp('feeds') / 'feeds.sqlite3'}")
    yield database
    database.close()


@each_row(
    ("known", "given", "may_read", "may_write"),
    [
        (ONE_PAIR, READER, True, True),
        (ONE_PAIR, None, False, False),
        (ONE_PAIR, ("reader", "hunter3"), False, False),
        (ONE_PAIR, ("reader", "hunter"), False, False),
        (ONE_PAIR, ("Reader", "hunter2"), False, False),
        (ONE_PAIR, ("", ""), False, False),
        (TWO_PAIRS, READER, True, False),
        (TWO_PAIRS, WRITER, True, True),
        (TWO_PAIRS, (READER[0], WRITER[1]), False, False),
        (NOBODY, READER, False, False),
        (NOBODY, ("", ""), False, False),
        (NOBODY, None, False, False),
    ],
)
def test_only_who_may_is_answered(
    empty_feeds: Database,
    known: ApiCredentials,
    given: tuple[str, str] | None,
    may_read: bool,
    may_write: bool,
) -> None:
    ask = client(empty_feeds, given, credentials=known)
    for requests, allowed in ((READS, may_read), (WRITES, may_write)):
        for method, path in requests:
            answer = ask(path, method)
            assert answer.status_code == (200 if allowed else 401), path
            if not allowed:
                assert list(answer.json()) == ["detail"]
                assert answer.headers["www-authenticate"].startswith("Basic")


def test_who_may_not_ask_is_not_told_what_else_is_wrong(empty_feeds: Database) -> None:
    ask = client(empty_feeds, None)
    assert ask("/api/rss_entries/x?_limit=0").status_code == 401
    assert ask("/api/sources/x/fetch-soon", "POST").status_code == 401


@each_row(
    "header",
    [
        *("Basic", "Basic ", "Basic %%%", "Bearer hunter2", "hunter2"),
        *(f"Basic {base64.b64encode(pair).decode()}" for pair in (b"reader", b"\xff:\xff")),
    ],
)
def test_credentials_that_cannot_be_read_are_refused(empty_feeds: Database, header: str) -> None:
    answer = client(empty_feeds, None)("/api/feeds/1", headers={"Authorization": header})
    assert answer.status_code == 401


def test_any_characters_make_a_password(empty_feeds: Database) -> None:
    pair = Pair("Zoë", "päss:wörd €")
    sent = base64.b64encode(f"{pair.user}:{pair.password}".encode()).decode()
    ask = client(empty_feeds, None, credentials=ApiCredentials(pair, pair))
    assert ask("/api/feeds/1", headers={"Authorization": f"basic {sent}"}).status_code == 200


def test_secrets_come_from_files_too(tmp_path: Path) -> None:
    (tmp_path / "pass").write_text("hunter2\n")
    options = CredentialOptions.of(
        {
            "RSS_FETCHER_USER": "reader",
            "RSS_FETCHER_PASS_FILE": str(tmp_path / "pass"),
            "RSS_FETCHER_WRITE_USER": "editor",
            "RSS_FETCHER_WRITE_PASS": "trustno1",
        }
    )
    assert ApiCredentials.of(options) == TWO_PAIRS
    assert "hunter2" not in repr(options)


def test_without_a_second_pair_who_may_read_may_write() -> None:
    options = CredentialOptions(rss_fetcher_user="reader", rss_fetcher_pass=SecretStr("hunter2"))
    assert ApiCredentials.of(options) == ONE_PAIR
    assert ApiCredentials.of(CredentialOptions()) == NOBODY
    assert not NOBODY.are_set


@each_row(
    ("given", "says"),
    [
        ({"RSS_FETCHER_USER": "reader"}, "--rss-fetcher-user and --rss-fetcher-pass: give both"),
        ({"RSS_FETCHER_PASS": "hunter2"}, "give both"),
        ({"RSS_FETCHER_WRITE_PASS": "hunter2"}, "--rss-fetcher-write-user and"),
        ({"RSS_FETCHER_USER": "a:b", "RSS_FETCHER_PASS": "hunter2"}, "colon"),
    ],
)
def test_half_a_pair_is_an_error_that_shows_no_secret(given: dict[str, str], says: str) -> None:
    with pytest.raises(ConfigurationError, match=says) as raised:
        ApiCredentials.of(CredentialOptions.of(given))
    assert "hunter2" not in str(raised.value)
