"""Unknown parameters of the URL of a store, broker, index or database are refused by name."""

from pathlib import Path

import pika
import pytest

from indexer.blobstore import check_store_url, open_blobstore
from indexer.broker import open_broker
from indexer.broker.rabbitmq.address import PARAMETERS
from indexer.database import open_database
from indexer.errors import ConfigurationError
from indexer.feeds.store import FeedsOptions
from indexer.inputs.inputs import Inputs
from indexer.search import open_index
from indexer.stories.indexing.fields import STORY_FIELDS
from tests.each_row import each_row


def open_any(kind: str, url: str) -> object:
    """Open what the URL of this kind leads to."""
    match kind:
        case "store":
            return open_blobstore(url)
        case "broker":
            return open_broker(url)
        case "index":
            return open_index(url, STORY_FIELDS)
        case "input":
            return Inputs(lambda _: pytest.fail("fetched")).find([url])
    return open_database(url)


@each_row(
    ("kind", "url", "says"),
    [
        ("store", "s3://news/warc?endpoint=http://h&key=hush", "endpoint, key; it takes none"),
        ("store", "s3://news?endpoint=hush", "ARCHIVER_S3_ENDPOINT"),
        ("store", "B2://news/warc?region=hush", "region"),
        ("store", "file:///srv/news?mode=hush", "%3F"),
        ("input", "s3://news/2024/*?endpoint=hush", "QUEUER_S3_…"),
        ("input", "s3://news?endpoint=hush", "endpoint"),
        ("broker", "amqp://u:hush@127.0.0.1/?hartbeat=5", "hartbeat; known are .*heartbeat"),
        ("broker", "sqlite:///data/queues.sqlite3?mode=hush", "mode; it takes none"),
        ("index", "sqlite:///data/index.sqlite3?mode=hush", "mode; it takes none"),
        ("index", "http://h/mc_search?key=hush", "key; known are api_key, ca_certs, create"),
        ("database", "sqlite:///data/feeds.sqlite3?mode=hush", "mode; it takes none"),
        ("database", "postgresql://u:hush@h/news?ssl=hush", "ssl; known are .*sslmode"),
    ],
)
def test_an_unknown_parameter_is_refused_with_the_names_that_exist(
    kind: str, url: str, says: str
) -> None:
    with pytest.raises(ConfigurationError, match=says) as caught:
        open_any(kind, url)
    assert "hush" not in str(caught.value)


def test_known_parameters_and_paths_with_question_marks_are_no_errors(tmp_path: Path) -> None:
    open_database("postgresql://h/news?sslmode=require&application_name=x").close()
    folder = tmp_path / "what?"
    feeds = FeedsOptions(data=folder).database
    open_database(feeds).close()
    assert [each.name for each in tmp_path.iterdir()] == ["what?"]
    for url in (str(folder), "s3://news/2024/#1", "s3://news/why?", "why?x=1"):
        check_store_url(url)


def test_the_parameters_of_a_broker_are_those_of_its_client() -> None:
    setters = {name for name in vars(pika.URLParameters) if name.startswith("_set_url_")}
    assert {name.removeprefix("_set_url_") for name in setters} == PARAMETERS - {"management"}
