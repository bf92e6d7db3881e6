"""The table of an exchange: what it means that no queue takes a message."""

from indexer.messages.exchanges import CONNECTED, Exchange, Unheard

TABLE = Exchange(
    "e",
    {
        "harvest.start.web": Unheard.ERROR,
        "harvest.start.#": Unheard.RETURNED,
        "*.status.#": Unheard.DROPPED,
    },
)


def test_the_first_pattern_that_matches_a_key_gives_its_meaning() -> None:
    assert TABLE.meaning("harvest.start.flickr.flickr_user") is Unheard.RETURNED
    assert TABLE.meaning("harvest.start.web") is Unheard.ERROR
    assert TABLE.meaning("export.status.flickr.flickr_user") is Unheard.DROPPED


def test_a_key_without_a_pattern_must_be_heard() -> None:
    assert TABLE.meaning("warc_created") is Unheard.ERROR
    assert CONNECTED.meaning("default") is Unheard.ERROR
