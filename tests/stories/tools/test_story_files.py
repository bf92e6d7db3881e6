"""Test mode: from one file of stories to another, with retries at once."""

import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from indexer.broker import Consumer
from indexer.errors import BrokerError, ConfigurationError, InputError, Quarantine, Requeue, Retry
from indexer.loops.batches import BatchRunner
from indexer.loops.inbox import Inbox
from indexer.loops.runner import Runner
from indexer.messages.message import Delivery, Send, first_key
from indexer.messages.outcome import Outcome, RetryPolicy, outputs
from indexer.messages.worker import BatchWorker, Worker
from indexer.stories.archiving import story_archive_writer
from indexer.stories.archiving.story_archive_reader import ArchivedStory, read_stories
from indexer.stories.archiving.story_archive_writer import StoryArchiveWriter
from indexer.stories.story import RSSEntry, Story
from indexer.stories.tools import story_files as module
from indexer.stories.tools.queue_archives import entry_of, send_of
from indexer.stories.tools.story_files import story_files
from tests.patience import PATIENCE
from tests.stories.archived import a_story, archive


class Work(Worker[Story, Story]):
    """Returns each story, or does as its link says; records the tries."""

    name = "work"
    takes = Story
    threads = 2

    def __init__(self) -> None:
        self.tries: list[str] = []

    def process(self, payload: Story) -> Story:
        link = payload.rss_entry.link or ""
        self.tries.append(link)
        if link == "retry":
            raise Retry("http-5xx", "the server is down")
        if link == "drop":
            raise Retry("noconn", drop=True)
        if link == "second" and self.tries.count(link) == 1:
            raise Retry("http-429", delay=30.0)
        if link == "early" and self.tries.count(link) <= 3:
            raise Requeue("busy")
        if link == "never":
            raise Requeue("busy")
        if link == "bad":
            raise Quarantine("no-url", "no URL at all")
        return payload


@pytest.fixture
def prefix(tmp_path: Path) -> str:
    return str(tmp_path / "a")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retries without a pause, and few of them."""
    monkeypatch.setattr(module, "PAUSE", 0.0)
    monkeypatch.setattr(module, "TURNS", 5)


def link(name: str) -> Story:
    """A story that waits to be fetched."""
    return Story(rss_entry=RSSEntry(link=name))


def put(prefix: str, sends: Sequence[Send]) -> None:
    """Write the input: messages as another program sent them."""
    with Path(f"{prefix}-in.warc.gz").open("wb") as file:
        writer = StoryArchiveWriter(file, "in", most=sys.maxsize)
        for send in sends:
            delivery = Delivery(0, send.body, send.key, send.headers)
            writer.write(entry_of(send.key, delivery, send.exchange))


def out(prefix: str) -> list[ArchivedStory]:
    """The stories in the output."""
    with Path(f"{prefix}-out.warc.gz").open("rb") as file:
        found = list(read_stories(file))
    assert all(isinstance(item, ArchivedStory) for item in found)
    return [item for item in found if isinstance(item, ArchivedStory)]


def place(item: ArchivedStory) -> tuple[str | None, str, str]:
    """A story's link, and the exchange and key that it was sent with."""
    data = item.metadata["queue_data"]
    return item.story.rss_entry.link, data["exchange"], data["routing_key"]


def run(prefix: str, worker: Worker[Story, Story], retries: int = 2) -> list[Outcome]:
    """Run a worker on the files."""
    seen: list[Outcome] = []
    with story_files(prefix, "work") as files:
        consumer = files.consume("work-in", 4)
        policy = RetryPolicy("work", max_retries=retries)
        Runner(worker, Inbox(consumer, policy, [seen.append], until_empty=True)).run(
            threading.Event()
        )
    return seen


def received(consumer: Consumer) -> Iterator[Delivery]:
    """Receive all messages, and settle each."""
    while (delivery := consumer.receive(0.0)) is not None:
        yield delivery
        consumer.settle([delivery])


ENDINGS = [
    # link → tries, where it was sent, its retries
    ("fine", 1, [("work-out", "default")]),
    ("second", 2, [("work-out", "default")]),
    ("early", 4, [("work-out", "default")]),
    ("retry", 3, [("", "work-quar")]),
    ("drop", 3, []),
    ("bad", 1, [("", "work-quar")]),
    ("never", 5, [("", "work-fast")]),
]


@pytest.mark.parametrize(("name", "tries", "sent"), ENDINGS, ids=[row[0] for row in ENDINGS])
def test_what_is_tried_again_comes_again_until_that_was_done_often_enough(
    prefix: str, name: str, tries: int, sent: list[tuple[str, str]]
) -> None:
    put(prefix, outputs("before", [link(name)]))
    worker = Work()
    assert len(run(prefix, worker)) == tries
    assert worker.tries == [name] * tries
    assert [place(item) for item in out(prefix)] == [(name, *where) for where in sent]


def test_all_of_a_file_is_handled_whatever_becomes_of_some(prefix: str) -> None:
    names = ["retry", "early", "second", *(f"{number}" for number in range(30)), "drop", "never"]
    put(prefix, outputs("before", [link(name) for name in names]))
    run(prefix, Work())
    assert sorted(str(place(item)[0]) for item in out(prefix)) == sorted(set(names) - {"drop"})


def test_a_quarantined_story_has_its_headers(prefix: str) -> None:
    put(prefix, outputs("before", [link("retry")]))
    run(prefix, Work())
    [item] = out(prefix)
    headers = item.metadata["rabbitmq_headers"]
    assert headers["x-mc-who"] == "work"
    assert headers["x-mc-what"] == "the server is down"
    assert set(headers) >= {"x-mc-when", "x-mc-where", "x-mc-name"}
    assert all(name.startswith("x-mc-") for name in headers)


def test_a_message_comes_again_with_its_headers(prefix: str) -> None:
    put(prefix, [Send("", "work-in", link("a").dump(), {"x-mc-retries": 1})])
    with story_files(prefix, "work") as files:
        consumer = files.consume("work-in", 1)
        first = consumer.receive(PATIENCE)
        assert first is not None
        assert first.headers["x-mc-retries"] == 1
        consumer.settle([first], [Send("", "work-delay", first.body, {"x-mc-retries": 2}, 3600.0)])
        second = consumer.receive(PATIENCE)
        assert second is not None
        assert (second.body, second.headers["x-mc-retries"]) == (first.body, 2)
        consumer.settle([second])
        assert consumer.receive(0.0) is None
    assert out(prefix) == []


class Sink(BatchWorker[Story, Story]):
    """Refuses all stories of its first batch."""

    name = "sink"
    takes = Story

    def __init__(self) -> None:
        self.batches: list[int] = []
        self.batch = 0

    def add(self, payload: Story) -> None:
        self.batch += 1

    def flush(self) -> list[Retry | None]:
        self.batches.append(self.batch)
        self.batch = 0
        return [Retry("busy") if len(self.batches) == 1 else None] * self.batches[-1]


def test_a_batch_ends_with_the_file_and_what_it_sends_back_is_a_batch_again(prefix: str) -> None:
    put(prefix, outputs("before", [link("a"), link("b")]))
    sink = Sink()
    with story_files(prefix, "sink") as files:
        consumer = files.consume("sink-in", 10)
        BatchRunner(sink, Inbox(consumer, RetryPolicy("sink"), until_empty=True)).run(
            threading.Event()
        )
    assert sink.batches == [2, 2]


@pytest.mark.parametrize("story", [link("a"), a_story(), Story()], ids=["link", "whole", "empty"])
def test_the_output_of_one_program_is_the_input_of_the_next_byte_for_byte(
    prefix: str, story: Story
) -> None:
    put(prefix, [*outputs("before", [story]), Send("before-out", "other.key", story.dump())])
    with story_files(prefix, "work") as files:
        first, second = received(files.consume("work-in", 1))
    assert (first.body, second.body) == (story.dump(), story.dump())
    assert (first_key(first), first_key(second)) == ("default", "other.key")


def test_the_output_can_be_queued(prefix: str) -> None:
    put(prefix, outputs("before", [a_story()]))
    with Path(f"{prefix}-in.warc.gz").open("rb") as file:
        [item] = read_stories(file)
    assert isinstance(item, ArchivedStory)
    send = send_of(item, "importer-in", exchange=False, reset=False)
    assert send == Send("", "importer-in", a_story().dump())


def test_what_another_step_set_aside_is_left_out_and_ones_own_is_not(prefix: str) -> None:
    queues = ["parser-quar", "work-quar", "parser-fast", "parser-in", "work-delay"]
    put(prefix, [Send("", queue, link(queue).dump()) for queue in queues])
    with story_files(prefix, "work") as files:
        bodies = [delivery.body for delivery in received(files.consume("work-in", 1))]
    kept = ["work-quar", "parser-in", "work-delay"]
    assert [Story.load(body).rss_entry.link for body in bodies] == kept


def test_any_archive_is_an_input(prefix: str) -> None:
    Path(f"{prefix}-in.warc.gz").write_bytes(archive([a_story(1), a_story(2)]))
    assert len(run(prefix, Work())) == 2
    assert len(out(prefix)) == 2


def test_a_damaged_record_costs_itself_and_is_told_at_the_end(prefix: str) -> None:
    put(prefix, outputs("before", [a_story(number) for number in range(5)]))
    path = Path(f"{prefix}-in.warc.gz")
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"a-in\.warc\.gz: \d+ records could not be read"):
        run(prefix, Work())
    assert len(out(prefix)) == 4


@pytest.mark.parametrize("content", [None, b"", b"no archive at all"])
def test_an_input_that_is_none_is_an_error(prefix: str, content: bytes | None) -> None:
    if content is not None:
        Path(f"{prefix}-in.warc.gz").write_bytes(content)
    with pytest.raises(InputError, match=r"a-in\.warc\.gz"):
        run(prefix, Work())


def test_headers_of_a_file_that_are_none_of_ours_do_no_harm(prefix: str) -> None:
    headers: dict[str, str | int] = {"turn": 99, "x-mc-retries": "many", "x-other": 1}
    put(prefix, [Send("", "work-in", link("never").dump(), headers)])
    assert len(run(prefix, Work())) == 5
    [item] = out(prefix)
    assert set(item.metadata["rabbitmq_headers"]) == {"x-mc-retries", "x-mc-key"}


def test_a_program_that_fails_replaces_no_output(prefix: str) -> None:
    put(prefix, outputs("before", [link("a")]))
    run(prefix, Work())

    def fail() -> None:
        with story_files(prefix, "work") as files:
            files.publish(outputs("work", [link("b"), link("c")]))
            raise OSError("the disk is full")

    with pytest.raises(OSError, match="full"):
        fail()
    assert [place(item)[0] for item in out(prefix)] == ["a"]
    with Path(f"{prefix}-out.warc.gz.tmp").open("rb") as file:
        assert len(list(read_stories(file))) == 2


def test_a_program_that_is_stopped_has_not_finished(prefix: str) -> None:
    put(prefix, outputs("before", [link("a"), link("b")]))

    def stop() -> None:
        with story_files(prefix, "work") as files, closing(files.consume("work-in", 1)) as consumer:
            next(received(consumer))

    with pytest.raises(InputError, match="stopped before its end"):
        stop()
    assert not Path(f"{prefix}-out.warc.gz").exists()


def test_two_programs_do_not_write_the_same_file(prefix: str) -> None:
    with story_files(prefix, "work", reads=False) as files:
        files.publish(outputs("work", [link("a")]))
        with (
            pytest.raises(ConfigurationError, match="another program"),
            story_files(prefix, "work", reads=False),
        ):
            pytest.fail("the prefix is in use")
    assert len(out(prefix)) == 1


def test_where_nothing_is_sent_no_file_is_touched(prefix: str, tmp_path: Path) -> None:
    with story_files(prefix, "work", reads=False):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_file_holds_more_than_an_archive_that_is_kept(
    prefix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(story_archive_writer, "MAX_STORIES", 5)
    put(prefix, [Send("before-out", "default", link("a").dump())] * 6)
    assert len(run(prefix, Work())) == 6
    assert len(out(prefix)) == 6


def test_no_more_is_taken_than_may_be_unsettled(prefix: str) -> None:
    put(prefix, outputs("before", [link(f"{number}") for number in range(4)]))
    with story_files(prefix, "work") as files:
        consumer = files.consume("work-in", 2)
        first, second = consumer.receive(0.0), consumer.receive(0.0)
        assert first is not None
        assert second is not None
        assert consumer.receive(0.0) is None
        later = [Send("", "work-delay", each.body) for each in (first, second)]
        consumer.settle([first, second], later)
        assert len(list(received(consumer))) == 4


def test_what_was_settled_is_not_settled_again(prefix: str) -> None:
    put(prefix, outputs("before", [link("a")]))
    with story_files(prefix, "work") as files:
        consumer = files.consume("work-in", 1)
        [delivery] = received(consumer)
        for wrong in ([delivery], [Delivery(99, b"")]):
            with pytest.raises(BrokerError, match="settled twice"):
                consumer.settle(wrong)


def test_what_is_no_story_can_not_be_written(prefix: str) -> None:
    with (
        pytest.raises(Quarantine, match="not a story"),
        story_files(prefix, "work", reads=False) as files,
    ):
        files.publish([Send("work-out", "default", b"no story")])
    assert not Path(f"{prefix}-out.warc.gz").exists()


def test_a_file_can_be_looked_into(prefix: str) -> None:
    put(prefix, outputs("before", [link("a"), link("b"), link("c")]))
    with story_files(prefix, "work") as files:
        peeked = [Story.load(delivery.body) for delivery in files.peek("work-in", 2)]
        assert peeked == [link("a"), link("b")]
        assert len(list(received(files.consume("work-in", 1)))) == 3


def test_the_queues_are_gone_in_the_end(prefix: str, tmp_path: Path) -> None:
    put(prefix, [])
    with story_files(prefix, "work") as files:
        assert files.left == 0
        folder = files.path.parent
        assert folder.exists()
    assert not folder.exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a-in.warc.gz", "a-out.warc.gz"]
