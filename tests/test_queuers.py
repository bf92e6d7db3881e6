"""Files to queue: which are read, how far, and what is remembered of it."""

import gzip
import io
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from pytest_httpserver import HTTPServer

from indexer import queuers
from indexer.broker import Broker, open_broker
from indexer.errors import BrokerError, ConfigurationError, InputError
from indexer.outcome import Kind, Outcome
from indexer.producing import ProducerRunner
from indexer.queuers import Named, Queuer, QueuerOptions
from indexer.stories.story import RSSEntry, Story
from indexer.topology import Pipeline, Step
from indexer.tracker import State, Tracker
from indexer.worker import Mark, Skipped

TOPOLOGY = Pipeline("test", [Step("lines", to=["work"]), Step("work")]).compile()


class Lines(Queuer[Story]):
    """A story a line; `-` is skipped, `broken` can't be read on, `+ URL` names another input."""

    name = "lines"

    def process_file(self, name: str, file: BinaryIO) -> Iterator[Story | Skipped | Named]:
        for line in io.TextIOWrapper(file, encoding="utf-8"):
            match line.split():
                case ["-"]:
                    yield Skipped("bad", name)
                case ["broken"]:
                    raise InputError(f"{name}: broken")
                case ["+", url]:
                    yield Named(url)
                case [link]:
                    yield Story(rss_entry=RSSEntry(link=link))


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[..., Lines]]:
    """Makes a queuer that reads some inputs."""
    made: list[Lines] = []

    def lines(*inputs: object, **given: Any) -> Lines:
        options: dict[str, Any] = {"data": tmp_path / "data", "shuffle_batch_size": 3}
        names = [str(name) for name in inputs]
        made.append(Lines(QueuerOptions(inputs=names, allow_private=True, **options | given)))
        return made[-1]

    yield lines
    for each in made:
        each.close()


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    opened = open_broker(f"sqlite:///{tmp_path / 'queues.sqlite3'}")
    opened.declare(TOPOLOGY)
    yield opened
    opened.close()


def write(path: Path, *lines: object) -> Path:
    """A file of lines."""
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def links(queuer: Lines) -> list[str | None]:
    """The links that a queuer yields until it is done."""
    return [item.rss_entry.link for item in queuer.produce() if isinstance(item, Story)]


def take(queuer: Lines, count: int) -> list[Story | Skipped | Mark]:
    """The first items of a queuer that is then stopped."""
    produced = queuer.produce()
    items = [next(produced) for _ in range(count)]
    produced.close()
    return items


def until_it_fails(queuer: Lines) -> tuple[list[str | None], str]:
    """The links that a queuer yields, and the error that it ends with."""
    found: list[str | None] = []
    try:
        for item in queuer.produce():
            if isinstance(item, Story):
                found.append(item.rss_entry.link)
    except InputError as error:
        return found, str(error)
    return found, ""


def state(tmp_path: Path, name: object) -> State:
    """What the tracker has of an input."""
    path = Path(str(name))
    stat = path.stat()
    tracker = Tracker(tmp_path / "data" / "lines" / "file-tracker.sqlite3")
    return tracker.state(str(path), f"{stat.st_size}-{stat.st_mtime_ns}")


def test_all_items_of_all_inputs_come_in_order(make: Callable[..., Lines], tmp_path: Path) -> None:
    write(tmp_path / "in/1", "a", "-", "b")
    (tmp_path / "in/2.gz").write_bytes(gzip.compress(b"c\n"))
    items = list(make(tmp_path / "in").produce())
    kinds = [item.rss_entry.link if isinstance(item, Story) else type(item) for item in items]
    assert kinds == ["c", Mark, "a", Skipped, "b", Mark]


def test_a_mark_comes_when_a_batch_is_full(make: Callable[..., Lines], tmp_path: Path) -> None:
    path = write(tmp_path / "f", "a", "-", "b", "c", "d", "e", "f")
    kinds = ["m" if isinstance(item, Mark) else "s" for item in make(path).produce()]
    assert "".join(kinds) == "ssssmsssmm"


def test_what_is_finished_is_skipped(make: Callable[..., Lines], tmp_path: Path) -> None:
    path = write(tmp_path / "f", "a")
    assert links(make(path)) == ["a"]
    assert links(make(path)) == []


def test_what_has_changed_is_read_again(make: Callable[..., Lines], tmp_path: Path) -> None:
    path = write(tmp_path / "f", "a")
    links(make(path))
    write(path, "a", "b")
    assert links(make(path)) == ["a", "b"]


def test_a_file_is_finished_only_when_all_of_it_is_confirmed(
    make: Callable[..., Lines], tmp_path: Path
) -> None:
    path = write(tmp_path / "f", "a", "b")
    take(make(path), 3)  # the last is a mark, which was not passed
    assert state(tmp_path, path) is State.LEFT
    assert links(make(path)) == ["a", "b"]
    assert state(tmp_path, path) is State.FINISHED


def test_a_stopped_run_is_gone_on_with_after_what_is_confirmed(
    make: Callable[..., Lines], tmp_path: Path
) -> None:
    path = write(tmp_path / "f", *"abcdefgh")
    take(make(path), 6)  # a b c mark d e
    assert links(make(path)) == ["d", "e", "f", "g", "h"]


def test_a_failing_input_does_not_keep_others_from_being_read(
    make: Callable[..., Lines], tmp_path: Path
) -> None:
    bad, good = write(tmp_path / "bad", "a", "b", "broken", "c"), write(tmp_path / "good", "d")
    found, error = until_it_fails(make(bad, good))
    assert found == ["a", "b", "d"]
    assert error == f"inputs failed: {bad}: broken"
    assert state(tmp_path, good) is State.FINISHED


def test_a_failing_input_is_not_done_and_what_could_be_read_is_not_read_again(
    make: Callable[..., Lines], tmp_path: Path
) -> None:
    path = write(tmp_path / "f", "a", "b", "broken")
    assert until_it_fails(make(path))[0] == ["a", "b"]
    assert state(tmp_path, path) is State.LEFT
    assert until_it_fails(make(path))[0] == []


def test_a_truncated_gzip_gives_what_can_be_read_and_is_not_done(
    make: Callable[..., Lines], tmp_path: Path
) -> None:
    path = tmp_path / "f.gz"
    packed = gzip.compress(b"".join(b"http://a.example/%d\n" % n for n in range(50_000)))
    path.write_bytes(packed[:-1000])
    found, error = until_it_fails(make(path, shuffle_batch_size=2500))
    assert "cut off" in error
    assert len(found) > 40_000
    assert state(tmp_path, path) is State.LEFT


def test_an_input_that_is_gone_fails(make: Callable[..., Lines], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        links(make(tmp_path / "missing"))
    with pytest.raises(ConfigurationError, match="nothing to read"):
        links(make())


def test_what_another_process_reads_is_skipped(make: Callable[..., Lines], tmp_path: Path) -> None:
    path = write(tmp_path / "f", "a", "b")
    first = make(path).produce()
    next(first)
    assert links(make(path)) == []
    first.close()
    assert links(make(path)) == ["a", "b"]


@pytest.mark.parametrize(
    "given",
    [{"force": True}, {"max_stories": 9}, {"random_sample": 100.0}, {"sample_size": 9}],
    ids=lambda given: next(iter(given)),
)
def test_forced_and_sampled_runs_leave_the_tracker_alone(
    make: Callable[..., Lines], tmp_path: Path, given: dict[str, Any]
) -> None:
    path = write(tmp_path / "f", "a")
    assert links(make(path, **given)) == ["a"]
    assert state(tmp_path, path) is State.NEW
    links(make(path))
    assert links(make(path, **given)) == ["a"]


def test_a_dry_run_changes_nothing(make: Callable[..., Lines], tmp_path: Path) -> None:
    path = write(tmp_path / "f", "a")
    assert links(make(path, dry_run=True)) == ["a"]
    assert not (tmp_path / "data").exists()
    links(make(path))
    assert links(make(path, dry_run=True)) == []


def test_a_test_lists_inputs_and_reads_none(
    make: Callable[..., Lines], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = write(tmp_path / "in/1", "a"), write(tmp_path / "in/2", "a")
    links(make(one))
    capsys.readouterr()
    assert list(make(tmp_path / "in", test=True).produce()) == []
    assert capsys.readouterr().out == f"{two}\tnot started\n{one}\tfinished\n"


def test_what_a_killed_older_program_left_is_taken_up_with_cleanup(
    make: Callable[..., Lines], tmp_path: Path
) -> None:
    path = write(tmp_path / "f", "a")
    queuer = make(path)
    tracker = Tracker(tmp_path / "data/lines/file-tracker.sqlite3", clock=lambda: 0.0)
    with tracker._open(writing=True) as db:  # a row without progress, as the older system's
        db.execute("INSERT INTO files VALUES ('f', 'STARTED', 0)")
    assert links(queuer) == []
    assert links(make(path, cleanup=True)) == ["a"]


def test_a_url_is_read_again_when_its_content_has_changed(
    make: Callable[..., Lines], httpserver: HTTPServer
) -> None:
    url = httpserver.url_for("/feed")
    found = []
    for body in ("a\n", "a\n", "a\nb\n"):
        httpserver.clear()
        httpserver.expect_request("/feed").respond_with_data(body)
        found.append(links(make(url)))
    assert found == [["a"], [], ["a", "b"]]


def test_an_input_may_name_others_which_are_tracked_on_their_own(
    make: Callable[..., Lines], tmp_path: Path, httpserver: HTTPServer
) -> None:
    httpserver.expect_request("/1").respond_with_data(f"a\n+ {httpserver.url_for('/2')}\n")
    httpserver.expect_request("/2").respond_with_data("b\n")
    index = write(tmp_path / "index", f"+ {httpserver.url_for('/1')}", "c")
    assert links(make(index)) == ["c", "a", "b"]
    httpserver.clear()
    httpserver.expect_request("/1").respond_with_data(f"+ {httpserver.url_for('/2')}\n")
    httpserver.expect_request("/2").respond_with_data("b\nd\n")
    assert links(make(index)) == ["b", "d"]


@pytest.mark.parametrize("named", ["file:///etc/passwd", "/etc/passwd", "s3://bucket/key"])
def test_an_input_may_name_nothing_but_the_web(
    make: Callable[..., Lines], tmp_path: Path, named: str
) -> None:
    with pytest.raises(InputError, match="only http"):
        links(make(write(tmp_path / "f", f"+ {named}")))


def test_inputs_that_name_each_other_end(
    make: Callable[..., Lines], httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = httpserver.url_for("/")
    for number in range(5):
        body = f"{number}\n+ {url}{number + 1}\n+ {url}0\n"
        httpserver.expect_request(f"/{number}").respond_with_data(body)
    assert links(make(f"{url}0")) == ["0", "1", "2"]
    monkeypatch.setattr(queuers, "MAX_NAMED", 2)
    many = "".join(f"+ {url}x{number}\n" for number in range(10))
    httpserver.expect_request("/many").respond_with_data(many)
    for number in range(10):
        httpserver.expect_request(f"/x{number}").respond_with_data(f"x{number}\n")
    assert links(make(f"{url}many")) == ["x0", "x1"]


def run(queuer: Lines, broker: Broker, **given: Any) -> list[Outcome]:
    """Queue what a queuer yields; what was told of it."""
    outcomes: list[Outcome] = []
    stop = given.pop("stop", threading.Event())
    runner = ProducerRunner("lines", queuer, broker, [outcomes.append], batch_size=3, **given)
    runner.run(stop)
    return outcomes


def queued(broker: Broker) -> list[str]:
    """The links in the queue, in alphabetical order."""
    depth = broker.depth("work-in")
    assert depth is not None
    consumer = broker.consume("work-in", 1000)
    received = [consumer.receive(0.0) for _ in range(depth.ready)]
    consumer.close()
    return sorted(Story.load(each.body).rss_entry.link or "" for each in received if each)


def test_full_queues_stop_a_run_and_the_next_goes_on_without_repeating_anything(
    make: Callable[..., Lines], tmp_path: Path, broker: Broker
) -> None:
    path = write(tmp_path / "f", *"abcdefgh")
    for _ in range(4):
        rooms = iter([True, True, False])
        run(make(path), broker, room=lambda rooms=rooms: next(rooms, False))
    assert state(tmp_path, path) is State.FINISHED
    assert queued(broker) == list("abcdefgh")


def test_a_run_that_is_stopped_repeats_nothing(
    make: Callable[..., Lines], tmp_path: Path, broker: Broker
) -> None:
    path = write(tmp_path / "f", *"abcdefgh")
    for stopped_after in (1, 5, 100):
        stop = threading.Event()
        queuer = make(path)
        queuer.process_file = _stopping(queuer, stop, stopped_after)  # type: ignore[method-assign]  # to be told
        run(queuer, broker, stop=stop)
    assert queued(broker) == list("abcdefgh")
    assert state(tmp_path, path) is State.FINISHED


def _stopping(queuer: Lines, stop: threading.Event, after: int) -> Callable[..., Any]:
    """Process a file, and be told to stop after some items."""
    original = queuer.process_file

    def process_file(name: str, file: BinaryIO) -> Iterator[Story | Skipped | Named]:
        for count, item in enumerate(original(name, file)):
            if count == after:
                stop.set()
            yield item

    return process_file


def test_a_broker_that_fails_leaves_the_file_to_be_read_again(
    make: Callable[..., Lines], tmp_path: Path, broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise BrokerError("gone")

    path = write(tmp_path / "f", "a", "b")
    with monkeypatch.context() as patched:
        patched.setattr(broker, "publish", fail)
        with pytest.raises(BrokerError):
            run(make(path), broker)
    assert state(tmp_path, path) is State.LEFT
    run(make(path), broker)
    assert queued(broker) == ["a", "b"]


def test_every_item_is_told(make: Callable[..., Lines], tmp_path: Path, broker: Broker) -> None:
    outcomes = run(make(write(tmp_path / "f", "a", "-", "b")), broker)
    assert sorted((o.kind, o.status) for o in outcomes) == [
        (Kind.QUEUED, "queuing"),
        (Kind.QUEUED, "queuing"),
        (Kind.SKIPPED, "bad"),
    ]


def test_an_input_that_can_not_be_found_does_not_keep_others_from_being_read(
    make: Callable[..., Lines], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indexer.blobstore.s3.ATTEMPTS", 1)
    monkeypatch.setenv("QUEUER_S3_ENDPOINT", "http://127.0.0.1:1")
    monkeypatch.setenv("QUEUER_S3_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("QUEUER_S3_SECRET_ACCESS_KEY", "hush-hush")
    found, error = until_it_fails(make("s3://bucket/a*", write(tmp_path / "f", "a")))
    assert found == ["a"]
    assert "s3://bucket/a" in error
    assert "hush-hush" not in error


def test_what_is_not_tracked_is_listed_as_such(
    make: Callable[..., Lines], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "f", "a")
    assert list(make(path, test=True, force=True).produce()) == []
    assert capsys.readouterr().out == f"{path}\tnot tracked\n"
