"""Elasticsearch's URL, template and first index."""

import pytest
from elasticsearch import ApiError

from indexer.errors import ConfigurationError
from indexer.search import open_index
from indexer.search.elasticsearch.setup import (
    Settings,
    connect,
    create,
    has_wildcard,
    settings,
    template,
)
from indexer.stories.indexing.fields import STORY_FIELDS
from tests.each_row import each_row
from tests.search.stub import Reply, Stub

HOST = "http://localhost:9200"

MODULES: Reply = (200, {"nodes": {"x": {"modules": [{"name": "apm"}, {"name": "wildcard"}]}}})
NO_WILDCARD: Reply = (200, {"nodes": {"x": {"modules": [{"name": "apm"}]}}})
DONE: Reply = (200, {"acknowledged": True})
MISSING: Reply = (404, {})


@each_row(
    ("url", "expected"),
    [
        ("http://localhost", Settings((HOST,))),
        ("http://localhost/", Settings((HOST,))),
        ("http://localhost:9209/news", Settings(("http://localhost:9209",), "news")),
        ("http://a,b:9201/news", Settings(("http://a:9200", "http://b:9201"), "news")),
        ("http://a:9209,http://b/news", Settings(("http://a:9209", "http://b:9200"), "news")),
        ("https://a:9209/, https://b/", Settings(("https://a:9209", "https://b:9200"))),
        ("https://proxy:443/es/news/", Settings(("https://proxy:443/es",), "news")),
        ("http://[::1]:9200/news", Settings(("http://[::1]:9200",), "news")),
        ("http://me:p%40ss%2F@localhost", Settings((HOST,), basic_auth=("me", "p@ss/"))),
        (
            "http://me:pw@a:9209,http://me:pw@b/news",
            Settings(("http://a:9209", "http://b:9200"), "news", basic_auth=("me", "pw")),
        ),
        (
            "http://me:pw@a,http://b",
            Settings(("http://a:9200", "http://b:9200"), basic_auth=("me", "pw")),
        ),
        ("http://localhost?api_key=abc", Settings((HOST,), api_key="abc")),
        ("http://localhost?create=false", Settings((HOST,), create=False)),
        ("https://x:1/n?ca_certs=/ca.pem", Settings(("https://x:1",), "n", ca_certs="/ca.pem")),
    ],
)
def test_a_url_has_the_servers_and_their_options(url: str, expected: Settings) -> None:
    assert settings(url) == expected


@each_row(
    "url",
    [
        "http://",
        "http://:secret@/x",
        "http://me:se/cret@localhost:9200/x",
        "http://localhost:port/secret",
        "http://localhost/mc_search,secret",
        "http://localhost/*secret",
        "http://localhost/SECRET",
        "http://localhost/_secret",
        "http://localhost/x?apikey=secret",
        "http://localhost/x?secret",
        "http://[::secret/x",
        "https://me:secret@localhost/x?ca_certs=/no/such/file.pem",
        "http://me:secret@a,http://me:secret2@b/x",
        "http://a,http://me:secret@b/x",
        "https://me:secret@a,http://b/x",
    ],
)
def test_a_bad_url_is_an_error_without_its_secrets(url: str) -> None:
    with pytest.raises(ConfigurationError) as error:
        open_index(url, STORY_FIELDS)
    assert "secret" not in str(error.value).lower()


def test_credentials_are_in_no_representation() -> None:
    given = settings("http://me:secret@localhost/x?api_key=secret")
    assert "secret" not in repr(given)
    assert "secret" not in repr(connect(settings("http://me:secret@localhost/x")))


def test_certificates_are_verified() -> None:
    client = connect(settings("https://localhost/x"))
    assert all(node.config.verify_certs for node in client.transport.node_pool.all())


def test_requests_carry_an_opaque_id() -> None:
    index = open_index("http://localhost/x", STORY_FIELDS)
    headers = index._client._headers  # type: ignore[attr-defined]  # there is no other way to see it
    assert headers["x-opaque-id"].startswith("story-indexer.")


def test_the_template_is_the_one_that_exists() -> None:
    """stories.md 8: pattern, field types, `dynamic`."""
    body = template("mc_search", STORY_FIELDS)
    fields = body["template"]["mappings"]["properties"]
    assert body["index_patterns"] == ["mc_search-*"]
    assert body["template"]["mappings"]["dynamic"] == "false"
    assert {name: field["type"] for name, field in fields.items()} == {
        "article_title": "text",
        "canonical_domain": "keyword",
        "indexed_date": "date_nanos",
        "language": "keyword",
        "publication_date": "date",
        "text_content": "text",
        "url": "wildcard",
    }
    assert fields["publication_date"]["ignore_malformed"] is True


@pytest.mark.parametrize(
    ("alias", "name", "first"),
    [
        ("mc_search", "mediacloud_search_template", "mc_search-000001"),
        ("news", "news_template", "news-000001"),
    ],
)
def test_names_follow_from_the_alias(alias: str, name: str, first: str) -> None:
    given = Settings((HOST,), alias)
    assert (given.template, given.first_index) == (name, first)
    assert template(alias, STORY_FIELDS)["index_patterns"] == [f"{alias}-*"]


def test_missing_parts_are_created() -> None:
    stub = Stub(MISSING, MODULES, DONE, DONE)
    create(stub.client(), Settings((HOST,)), STORY_FIELDS)
    assert [request.split("?")[0] for request, _ in stub.requests] == [
        "HEAD /_index_template/mediacloud_search_template",
        "GET /_nodes/_local",
        "PUT /_index_template/mediacloud_search_template",
        "PUT /mc_search-000001",
    ]
    assert b'"type":"wildcard"' in stub.requests[2][1]
    assert stub.requests[3][1] == b'{"aliases":{"mc_search":{"is_write_index":true}}}'


def test_an_existing_template_is_not_changed() -> None:
    stub = Stub((200, {}), DONE)
    create(stub.client(), Settings((HOST,)), STORY_FIELDS)
    assert stub.requests[1][0] == "PUT /mc_search-000001"


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("resource_already_exists_exception", "index [x] already exists"),
        ("illegal_argument_exception", "index template [x] already exists"),
    ],
)
def test_another_process_may_be_faster(kind: str, why: str) -> None:
    there: Reply = (400, {"error": {"type": kind, "reason": why}, "status": 400})
    create(Stub(MISSING, MODULES, there, there).client(), Settings((HOST,)), STORY_FIELDS)


def test_a_server_that_refuses_is_an_error() -> None:
    stub = Stub((200, {}), (400, {"error": {"type": "no_more_shards", "reason": "full"}}))
    with pytest.raises(ApiError, match="no_more_shards"):
        create(stub.client(), Settings((HOST,)), STORY_FIELDS)


def test_without_the_wildcard_type_urls_are_keywords() -> None:
    stub = Stub(MISSING, NO_WILDCARD, DONE, DONE)
    create(stub.client(), Settings((HOST,)), STORY_FIELDS)
    assert b'"url":{"type":"keyword","ignore_above":8191}' in stub.requests[2][1]


@pytest.mark.parametrize("status", [403, 404])
def test_a_server_that_does_not_tell_its_modules_has_all(status: int) -> None:
    assert has_wildcard(Stub((status, {})).client())


def test_a_failing_server_is_not_mistaken_for_one_without_modules() -> None:
    with pytest.raises(ApiError):
        has_wildcard(Stub((500, {})).client().options(max_retries=0))
