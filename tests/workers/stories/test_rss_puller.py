"""From entries of an rss-fetcher to stories: what is queued, what is remembered, what fails."""

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from indexer.errors import ConfigurationError, InputError
from indexer.http.json_service import Unavailable
from indexer.loops.sampling import Sampler
from indexer.metrics import Metric, attached
from indexer.stories.story import Story
from tests.each_row import each_row
from tests.stories.rss_fetcher_server import Reply, entry
from tests.workers.stories.rss_pulling import Pulling, pulling_from


@pytest.fixture
def pulling(tmp_path: Path) -> Iterator[Pulling]:
    """With the entries 1 to 10."""
    with pulling_from([entry(number) for number in range(1, 11)], tmp_path) as pulling:
        yield pulling


def test_all_entries_are_queued_page_by_page_and_the_last_is_remembered(pulling: Pulling) -> None:
    pulling.run()
    assert pulling.queued() == list(range(1, 11))
    assert pulling.last() == 10
    assert pulling.firsts() == [0, 5, 9]
    assert pulling.waited == [0.5, 0.5]


def test_the_next_run_goes_on_after_it(pulling: Pulling) -> None:
    pulling.run()
    pulling.run()
    pulling.server.rows.append(entry(12))
    pulling.run()
    assert pulling.queued() == [*range(1, 11), 12]
    assert pulling.firsts() == [0, 5, 9, 11, 11]


def test_a_story_has_what_the_entry_says(pulling: Pulling) -> None:
    story = next(pulling.make().produce())
    assert isinstance(story, Story)
    assert story.rss_entry.link == "https://site1.example/1"
    assert story.rss_entry.via == f"1@{pulling.server.address}"
    assert story.origin == {"feed_id": 1001, "source_id": 1}


def write_bookmark(pulling: Pulling, row: dict[str, Any]) -> None:
    """Write the files of the existing puller (stories.md 5.3)."""
    folder = pulling.data / "rss-puller"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "last-rss-entry").write_text(json.dumps(row))
    (folder / "last-rss-entry.prev").write_text(json.dumps(entry(row["id"] - 1)))


def test_the_bookmark_of_the_existing_system_is_gone_on_with(pulling: Pulling) -> None:
    write_bookmark(pulling, entry(8))
    pulling.run(pulling.make(first_id=3))
    assert pulling.queued() == [9, 10]
    previous = pulling.data / "rss-puller" / "last-rss-entry.prev"
    assert json.loads(previous.read_text()) == entry(8)


def test_a_bookmark_whose_entry_was_deleted_is_gone_on_with(pulling: Pulling) -> None:
    write_bookmark(pulling, entry(8))
    del pulling.server.rows[7]
    pulling.run()
    assert pulling.queued() == [9, 10]


@each_row(
    ("row", "why"),
    [
        (entry(11), "has no entry from 11 on"),
        (entry(3_000_000_000), "has no entry from 3000000000 on"),
        (entry(8, url="https://other.example/"), "the entry 8 of the rss-fetcher has another URL"),
    ],
)
def test_a_bookmark_of_another_database_is_an_error(
    pulling: Pulling, row: dict[str, Any], why: str
) -> None:
    write_bookmark(pulling, row)
    with pytest.raises(InputError, match=f"{why}, but it was the last one queued"):
        pulling.run()
    assert pulling.queued() == []
    assert pulling.last() == row["id"]


def test_a_database_that_is_replaced_while_the_puller_watches_is_an_error(
    pulling: Pulling,
) -> None:
    produced = pulling.make(watch=60.0).produce()
    assert sum(isinstance(next(produced), Story) for _ in range(16)) == 10
    pulling.server.rows = [entry(1)]
    with pytest.raises(InputError, match="has no entry from 10 on"):
        list(islice(produced, 16))


def test_a_broken_bookmark_is_an_error_and_nothing_is_asked_for(pulling: Pulling) -> None:
    folder = pulling.data / "rss-puller"
    folder.mkdir(parents=True)
    (folder / "last-rss-entry").write_text("{")
    with pytest.raises(InputError, match="--first-id"):
        pulling.run()
    assert pulling.server.requests == []
    pulling.run(pulling.make(force=True))


def test_the_first_run_may_start_elsewhere(pulling: Pulling) -> None:
    for _ in range(2):
        pulling.run(pulling.make(first_id=9))
    assert pulling.queued() == [9, 10]


def test_a_process_by_another_name_has_a_bookmark_of_its_own(pulling: Pulling) -> None:
    pulling.run(pulling.make(process_name="other"))
    assert pulling.last() is None
    assert (pulling.data / "other" / "last-rss-entry").exists()


@pytest.mark.parametrize(("shuffled", "limit"), [(77, 77), (1, 2500), (0, 2500)])
def test_a_page_is_as_large_as_what_is_shuffled_unless_it_is_said(
    pulling: Pulling, shuffled: int, limit: int
) -> None:
    list(pulling.make(rss_fetcher_batch_size=None, shuffle_batch_size=shuffled).produce())
    assert pulling.server.requests[0].limit == limit


BAD = [
    (entry(1) | {"id": None}, "bad-id"),
    (entry(1) | {"id": "x"}, "bad-id"),
    (None, "bad-id"),
    (entry(3, url=None), "no-url"),
    (entry(4, url=5), "bad-scheme"),
    (entry(5, url="mailto:a@b.example"), "bad-scheme"),
    (entry(6, url="http:///path"), "no-host"),
    (entry(7, url="http://127.0.0.1/"), "bad-host"),
    (entry(8, url="https://www.youtube.com/watch?v=1"), "non-news"),
    (entry(8), "bad-id"),
    (entry(9, url="https://b.example/9"), "non-news"),
]


def test_bad_entries_are_counted_and_the_others_queued(pulling: Pulling) -> None:
    pulling.reply([*(row for row, _ in BAD), entry(10)])
    puller = pulling.make(skip_domains=["b.example"], rss_fetcher_batch_size=99)
    *bad, good = pulling.run(puller)
    assert [each.status for each in bad] == [status for _, status in BAD]
    assert bad[3].label == f"3@{pulling.server.address}"
    assert bad[3].origin == {"feed_id": 1003, "source_id": 3}
    assert (good.status, good.label) == ("queuing", "https://site10.example/10")
    assert pulling.queued() == [10]


def test_an_operators_own_network_may_have_stories(pulling: Pulling) -> None:
    pulling.server.rows = [entry(1, url="http://10.1.2.3/1"), entry(2, url="http://10.2.2.3/2")]
    pulling.run(pulling.make(allow_address=["10.1.0.0/16"]))
    assert pulling.queued() == [1]


def test_bad_entries_at_the_end_of_a_page_are_not_read_again(pulling: Pulling) -> None:
    pulling.server.rows = [entry(1), entry(2, url=None)]
    pulling.run()
    assert pulling.last() == 2


@pytest.mark.parametrize(
    ("ids", "expected"), [([2, 1, 3], [1, 2, 3]), ([3, 3, 3], [3]), ([0, 1], [0, 1])]
)
def test_a_short_page_in_disorder_is_queued_once(
    pulling: Pulling, ids: list[int], expected: list[int]
) -> None:
    pulling.reply([entry(number) for number in ids])
    pulling.run()
    assert pulling.queued() == expected
    assert pulling.last() == expected[-1]


def test_an_id_far_from_the_others_does_not_lead_astray(pulling: Pulling) -> None:
    pulling.server.rows = [entry(1), entry(2), entry(10**17), entry(10**17 + 1)]
    outcomes = [outcome.status for outcome in pulling.run()]
    assert (outcomes.count("queuing"), set(outcomes)) == (2, {"queuing", "bad-id"})
    assert pulling.last() == 2


def test_it_never_goes_back(pulling: Pulling) -> None:
    pulling.run(pulling.make(first_id=9))
    pulling.reply([entry(10)])
    pulling.reply([entry(number) for number in (1, 2, 10)])
    assert [each.status for each in pulling.run()] == ["bad-id"] * 3
    assert pulling.last() == 10


@pytest.mark.parametrize("ids", [[1, 2, 3, 4], [None] * 4, [9, 12, 11, 13]])
def test_a_server_that_does_not_go_on_is_left_with_an_error(
    pulling: Pulling, ids: list[int | None]
) -> None:
    pulling.run(pulling.make(first_id=9))
    pulling.reply([entry(10)])
    pulling.reply([entry(1) | {"id": number} for number in ids], times=9)
    with pytest.raises(InputError, match="the page from 11 on is"):
        pulling.run()
    assert len(pulling.server.replies) == 8
    assert pulling.last() == 10


UNCOUNTED = [{"force": True}, {"dry_run": True}, {"max_messages": 2}, {"random_sample": 100.0}]


@pytest.mark.parametrize(
    "given", [*UNCOUNTED, {"sample_size": 2}], ids=lambda given: next(iter(given))
)
def test_a_run_that_does_not_count_leaves_no_trace(pulling: Pulling, given: dict[str, Any]) -> None:
    found = [each for each in pulling.make(**given).produce() if isinstance(each, Story)]
    assert len(found) == 10
    assert pulling.firsts() == [0, 5, 9]
    assert not pulling.data.exists()


@pytest.mark.parametrize(
    ("given", "first"), [({"force": True}, 0), ({"dry_run": True}, 11), ({"max_messages": 2}, 11)]
)
def test_only_force_forgets_what_was_queued(
    pulling: Pulling, given: dict[str, Any], first: int
) -> None:
    pulling.run()
    pulling.server.requests.clear()
    list(pulling.make(**given).produce())
    assert pulling.firsts()[0] == first
    assert pulling.last() == 10


def test_a_sample_is_queued_and_not_remembered(pulling: Pulling) -> None:
    pulling.run(pulling.make(max_messages=3), sampler=Sampler(3))
    assert len(pulling.queued()) == 3
    assert pulling.last() is None


def test_a_test_says_what_would_be_asked_and_asks_nothing(
    pulling: Pulling, capsys: pytest.CaptureFixture[str]
) -> None:
    assert list(pulling.make(test=True, first_id=7).produce()) == []
    assert capsys.readouterr().out == f"{pulling.server.url}/api/rss_entries/7?_limit=4\n"
    assert pulling.server.requests == []
    assert not pulling.data.exists()


def test_a_server_that_is_busy_is_asked_again(pulling: Pulling) -> None:
    for wait in ("soon", "7", "86400"):
        pulling.server.replies.append(Reply(503, headers={"Retry-After": wait}))
    pulling.run()
    assert pulling.waited[:3] == [1.0, 7.0, 120.0]
    assert pulling.queued() == list(range(1, 11))


def test_a_server_that_stays_away_is_an_error_in_the_end(pulling: Pulling) -> None:
    pulling.server.replies.extend([Reply(503, b'{"message": "out of order"}')] * 20)
    with pytest.raises(Unavailable, match=r"HTTP 503 \(out of order\)"):
        pulling.run()
    assert len(pulling.server.requests) == 7
    assert sum(pulling.waited) == 61.0


def test_a_watching_puller_asks_again_for_what_is_new(pulling: Pulling) -> None:
    produced = pulling.make(watch=9.0).produce()
    stories = (each for each in produced if isinstance(each, Story))
    assert len(list(islice(stories, 10))) == 10
    pulling.server.rows.append(entry(11))
    assert next(stories).rss_entry.link == "https://site11.example/11"
    assert pulling.waited == [0.5, 0.5, 9.0]
    produced.close()


def test_the_last_id_is_a_metric(pulling: Pulling) -> None:
    seen: list[float] = []

    class Sink:
        def take(self, metric: Metric, value: float, labels: tuple[str, ...]) -> None:
            seen.extend([value] if metric.name == "stories.max-id" else [])

        def forget(self, metric: Metric, labels: tuple[str, ...]) -> None:
            pass

    with attached(Sink()):
        pulling.run()
        pulling.run()
        pulling.run(pulling.make(force=True))
    assert seen == [4, 8, 10, 10]


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"inputs": ["feed.xml"]}, "reads no inputs"),
        ({"rss_fetcher_url": ""}, "RSS_FETCHER_URL"),
        ({"rss_fetcher_batch_size": 0}, "--rss-fetcher-batch-size"),
        ({"first_id": -1}, "--first-id"),
        ({"watch": 0.0}, "--watch"),
        ({"allow_address": ["x"]}, "not a network"),
    ],
)
def test_what_can_not_work_is_a_configuration_error(
    pulling: Pulling, given: dict[str, Any], why: str
) -> None:
    with pytest.raises(ConfigurationError, match=why):
        pulling.make(**given)
