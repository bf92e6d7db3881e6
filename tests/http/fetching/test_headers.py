"""Tests of headers: the case of names does not count, and repeated ones are joined."""

from indexer.http.fetching.headers import Headers


def test_headers_are_found_in_any_case_and_repeated_ones_are_joined() -> None:
    headers = Headers([("Vary", "Accept"), ("ETag", "x"), ("vary", "Cookie")])
    assert headers["VARY"] == "Accept, Cookie"
    assert headers.getlist("Vary") == ["Accept", "Cookie"]
    assert dict(headers) == {"vary": "Accept, Cookie", "etag": "x"}
    assert (headers.get("age"), headers.getlist("age"), "Etag" in headers) == (None, [], True)
