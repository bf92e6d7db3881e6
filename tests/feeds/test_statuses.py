"""The severity and the label of each status."""

from indexer.feeds import statuses
from indexer.feeds.attempt import WORKING, Unchanged
from indexer.feeds.statuses import WEIGHT, Severity, http_code, http_status, label, severity
from indexer.http.connections.failures import FetchFailure
from tests.each_row import each_row

SUCCESS, TEMPORARY, SOFT, HARD = Severity

TABLE = [
    ("Working", SUCCESS, "ok"),
    ("connect timeout", SOFT, "connect_timeout"),
    ("read timeout", SOFT, "read_timeout"),
    ("SSL error", SOFT, "SSL_error"),
    ("unknown hostname", SOFT, "unknown_hostname"),
    ("temporary DNS error", TEMPORARY, "temporary_DNS_error"),
    ("DNS error", SOFT, "DNS_error"),
    ("connection error", SOFT, "connection_error"),
    ("too many redirects", SOFT, "too_many_redirects"),
    ("bad URL", HARD, "bad_URL"),
    ("bad value", HARD, "bad_value"),
    ("fetch error", SOFT, "fetch_error"),
    ("proxy error", TEMPORARY, "proxy_error"),
    ("job timeout", SOFT, "job_timeout"),
    ("parse error", SOFT, "parse_err"),
    ("unknown", SOFT, "unknown"),
    ("caught exception", SOFT, "exception"),
    ("HTTP 200 OK", HARD, "http_2xx"),
    ("HTTP 201 Created", HARD, "http_2xx"),
    ("HTTP 204 No Content", HARD, "http_2xx"),
    ("HTTP 206 Partial Content", HARD, "http_2xx"),
    ("HTTP 300 Multiple Choices", HARD, "http_3xx"),
    ("HTTP 302 Found", HARD, "http_3xx"),
    ("HTTP 304 Not Modified", HARD, "http_3xx"),
    ("HTTP 400 Bad Request", HARD, "http_4xx"),
    ("HTTP 403 Forbidden", HARD, "http_403"),
    ("HTTP 404 Not Found", SOFT, "http_404"),
    ("HTTP 404", SOFT, "http_404"),
    ("HTTP 408 Request Timeout", SOFT, "http_4xx"),
    ("HTTP 410 Gone", HARD, "http_4xx"),
    ("HTTP 425 Too Early", SOFT, "http_4xx"),
    ("HTTP 429 Too Many Requests", SOFT, "http_429"),
    ("HTTP 451 Unavailable For Legal Reasons", HARD, "http_4xx"),
    ("HTTP 500 Internal Server Error", SOFT, "http_5xx"),
    ("HTTP 530", SOFT, "http_5xx"),
    ("HTTP 599 Network Connect Timeout", SOFT, "http_5xx"),
    ("HTTP 600", HARD, "http_6xx"),
    ("HTTP 999 Request denied", HARD, "http_9xx"),
    ("something of tomorrow", SOFT, "something_of_tomorrow"),
]


@each_row(("status", "expected", "counted"), TABLE)
def test_a_status_has_a_severity_and_a_label(status: str, expected: Severity, counted: str) -> None:
    assert severity(status) is expected
    assert label(status) == counted


def test_unchanged_documents_have_labels_of_their_own() -> None:
    assert label(WORKING, Unchanged.SAME_HASH) == "same_hash"
    assert label(WORKING, Unchanged.NOT_MODIFIED) == "not_mod"


def test_a_severity_has_a_weight() -> None:
    assert WEIGHT == {HARD: 1, SOFT: 0.5, TEMPORARY: 0.25, SUCCESS: 0}


def test_there_are_17_statuses_and_that_of_http() -> None:
    assert set(statuses.SEVERITY) == {status for status, *_ in TABLE[:17]}


def test_every_failure_has_a_status() -> None:
    assert set(statuses.OF_FAILURE) == set(FetchFailure)
    assert set(statuses.OF_FAILURE.values()) <= set(statuses.SEVERITY)


@each_row(
    ("code", "reason", "status"),
    [
        (404, "Not Found", "HTTP 404 Not Found"),
        (404, "not  here", "HTTP 404 not here"),
        (404, "", "HTTP 404"),
        (404, "  ", "HTTP 404"),
        (
            503,
            "Service temporarily\x00 un\x1bavailable",
            "HTTP 503 Service temporarily unavailable",
        ),
        (500, "x" * 500, "HTTP 500 " + "x" * 100),
    ],
)
def test_the_status_of_an_answer_is_the_servers_own(code: int, reason: str, status: str) -> None:
    assert http_status(code, reason) == status
    assert http_code(status) == code


@each_row("status", ["", "Working", "HTTP", "HTTP 40", "HTTP 4044", "http 404"])
def test_other_statuses_have_no_code(status: str) -> None:
    assert http_code(status) is None
