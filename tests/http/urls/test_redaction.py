"""URLs without their credentials."""

from indexer.http.urls.redaction import without_credentials
from tests.each_row import each_row


@each_row(
    ("url", "shown"),
    [
        ("http://user:secret@host:9200/mc_search?key=secret", "http://host:9200/mc_search"),
        ("amqp://guest:guest@[::1]:5672/%2f", "amqp://[::1]:5672/%2f"),
        ("sqlite:///data/index.sqlite3", "sqlite:///data/index.sqlite3"),
        ("data/archive", "data/archive"),
        ("data/me@home,too", "data/me@home,too"),
        ("amqp://u:se/cret@host:5672/v", "amqp://host:5672/v"),
        ("amqp://u:se?cr#et@host/v", "amqp://host/v"),
        ("s3://bucket/2024/a@b", "s3://bucket/2024/a@b"),
        ("sqlite:///me@home.sqlite3", "sqlite:///me@home.sqlite3"),
        ("http://u:se@cret@one:9200/x", "http://one:9200/x"),
        (
            "http://u:secret@one:9200,http://u:secret@two:9200/x",
            "http://one:9200,http://two:9200/x",
        ),
        ("http://u:secret@one:9200,u:secret@two:9200/x", "http://two:9200/x"),
        ("http://u:sec,ret@one:9200/x#secret", "http://one:9200/x"),
    ],
)
def test_credentials_are_never_shown(url: str, shown: str) -> None:
    assert without_credentials(url) == shown
