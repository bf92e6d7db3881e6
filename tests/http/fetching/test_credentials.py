"""Tests of authentication: a secret goes to its origin, and nowhere else."""

from collections.abc import Callable

import pytest

from indexer.errors import BadResponse, ConfigurationError, FetchError
from indexer.http.fetching import Request
from indexer.http.fetching.credentials import (
    Credentials,
    authorized,
    basic,
    bearer,
    header,
    query_key,
    signed,
    without_keys,
)
from indexer.http.urls.target import Target
from tests.each_row import each_row
from tests.http.fetching.clients import client
from tests.http.fetching.raw import Conversations, serving

API = "https://api.example.org"
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


@each_row(
    ("auth", "path", "headers"),
    [
        (basic(API, "me", "p\u00e4ss"), "/a", {"Authorization": "Basic bWU6cMOkc3M="}),
        (bearer(API, "t0ken"), "/a", {"Authorization": "Bearer t0ken"}),
        (header(API, "X-Key", "k"), "/a", {"X-Key": "k"}),
        (query_key(f"{API}/v2/", "api_key", "k&="), "/a?api_key=k%26%3D", {}),
        (signed(API, lambda method, url: {"X-S": f"{method} {url}"}), "/a",
         {"X-S": f"POST {API}/a"}),
    ],
)  # fmt: skip
def test_each_kind_of_credentials(auth: Credentials, path: str, headers: dict[str, str]) -> None:
    target, given = authorized([auth], "POST", Target.parse(f"{API}/a"))
    assert (target.path, given) == (path, headers)


def test_several_secrets_of_one_origin_go_together_and_are_signed_together() -> None:
    auth = [query_key(API, "key", "k"), signed(API, lambda _, url: {"X-Signed": url})]
    target, headers = authorized(auth, "GET", Target.parse(f"{API}/a?b=c"))
    assert target.path == "/a?b=c&key=k"
    assert headers == {"X-Signed": f"{API}/a?b=c&key=k"}


@each_row(
    "url",
    ["http://api.example.org/", "https://api.example.org:8443/", "https://example.org/",
     "https://api.example.org.evil.test/"],
)  # fmt: skip
def test_another_origin_gets_nothing(url: str) -> None:
    auth = [bearer(API, "secret"), query_key(API, "key", "secret")]
    target = Target.parse(url)
    assert authorized(auth, "GET", target) == (target, {})


Kind = Callable[[str], Credentials]

KINDS: list[Kind] = [
    lambda url: basic(url, "user", "s3cret"),
    lambda url: bearer(url, "s3cret"),
    lambda url: query_key(url, "key", "s3cret"),
    lambda url: header(url, "X-Key", "s3cret"),
]


@each_row("kind", KINDS)
def test_a_redirect_carries_a_secret_inside_its_origin_only(kind: Kind) -> None:
    seen: list[object] = []
    other = Conversations([OK])
    with serving(other, read=False) as there:
        own = Conversations([found("/b?x=1"), found(f"{there.url}/c")])
        with serving(own, read=False) as here, client() as asking:
            request = Request(
                url=f"{here.url}/a",
                auth=[kind(here.url)],
                seen=lambda sent, head: seen.append((sent, head)),
            )
            answer = asking.ask(request)

    assert [has_secret(each) for each in (*own.requests[0], *other.requests[0])] == [1, 1, 0]
    assert answer.redirects == [f"{here.url}/a", f"{here.url}/b?x=1"]
    assert "s3cret" not in f"{request} {answer} {seen}"


def test_a_key_that_a_server_repeats_in_a_redirect_stays_a_secret() -> None:
    other = Conversations([OK])
    with serving(other, read=False) as there:
        own = Conversations([found("/b?key=s3cret&x=1"), found(f"{there.url}/c?key=s3cret")])
        with serving(own, read=False) as here, client() as asking:
            auth = [query_key(here.url, "key", "s3cret")]
            answer = asking.ask(Request(url=f"{here.url}/a", auth=auth))

    assert [has_secret(each) for each in (*own.requests[0], *other.requests[0])] == [1, 1, 0]
    assert answer.redirects == [f"{here.url}/a", f"{here.url}/b?x=1"]
    assert answer.url == f"{there.url}/c"


def found(location: str) -> bytes:
    return f"HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n".encode()


def has_secret(request: bytes) -> int:
    """How often the secret is in a request, also as a user's password."""
    return request.count(b"s3cret") + request.count(b"dXNlcjpzM2NyZXQ")


def test_errors_and_names_have_no_secrets() -> None:
    for kind in KINDS:
        auth = kind("http://127.0.0.1:1")
        with pytest.raises(FetchError) as failed:
            client().ask(Request(url="http://127.0.0.1:1/", auth=[auth]))
        assert "s3cret" not in str(failed.value) + repr(auth)


def test_a_key_that_no_header_takes_is_refused_without_repeating_it() -> None:
    for value in ("s3cret\n", "s3cret\u4e2d", "s3cret\r\nX: y"):
        with pytest.raises(ConfigurationError) as refused:
            bearer(API, value)
        assert "s3cret" not in str(refused.value)

    sign = signed("http://127.0.0.1:1", lambda *_: {"X": "s3cret\n"})
    with pytest.raises(BadResponse) as failed:
        client().ask(Request(url="http://127.0.0.1:1/", auth=[sign]))
    assert "s3cret" not in str(failed.value)


@each_row(
    ("url", "kept"),
    [
        ("https://a/?key=k%26", "https://a/"),
        ("https://a/b?x=1&key=k%26&y=2", "https://a/b?x=1&y=2"),
        ("https://a/b?key=other", "https://a/b?key=other"),
        ("https://a/b?x=%2F", "https://a/b?x=%2F"),
    ],
)
def test_a_key_is_removed_from_a_url(url: str, kept: str) -> None:
    assert without_keys([query_key(API, "key", "k&")], Target.parse(url)).url == kept
