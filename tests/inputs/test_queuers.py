"""Queuers: the files that they read, and the progress that they record."""

import gzip
from collections.abc import Callable, Collection, Generator, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from pytest_httpserver import HTTPServer

from indexer.errors import ConfigurationError, InputError, Stopped
from indexer.inputs import queuers
from indexer.inputs.queuers import Named, QueuerOptions
from indexer.inputs.tracker import InputState, Tracker
from indexer.messages.worker import Mark, Skipped
from indexer.stories.story import Story
from tests.lines import Lines, Make, links, making, state, until_it_fails, write


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """See `Make`."""
    with making(tmp_path) as make:
        yield make


def take(queuer: Lines, count: int) -> list[Story | Skipped | Mark]:
    """The first items of a queuer, which is stopped then."""
    produced = queuer.produce()
    items = [next(produced) for _ in range(count)]
    produced.close()
    return items


def test_all_items_of_all_inputs_come_in_order(make: Make, tmp_path: Path) -> None:
    write(tmp_path / "in/1", "a", "-", "b")
    (tmp_path / "in/2.gz").write_bytes(gzip.compress(b"c\n"))
    items = list(make(tmp_path / "in").produce())
    kinds = [item.rss_entry.link if isinstance(item, Story) else type(item) for item in items]
    assert kinds == ["c", Mark, "a", Skipped, "b", Mark]


def test_a_queuer_that_unpacks_by_itself_gets_files_as_they_are(tmp_path: Path) -> None:
    class Sizes(Lines):
        unpacks = False

        def process_file(self, name: str, file: BinaryIO) -> Iterator[Story | Skipped]:
            yield Skipped("size", file.read().hex())

    packed = gzip.compress(b"c\n")
    (tmp_path / "f.gz").write_bytes(packed)
    queuer = Sizes(
        QueuerOptions.chosen({"inputs": [str(tmp_path / "f.gz")], "data": tmp_path / "data"})
    )
    assert next(queuer.produce()) == Skipped("size", packed.hex())
    queuer.close()


def test_a_mark_comes_when_a_batch_is_full(make: Make, tmp_path: Path) -> None:
    path = write(tmp_path / "f", "a", "-", "b", "c", "d", "e", "f")
    kinds = ["m" if isinstance(item, Mark) else "s" for item in make(path).produce()]
    assert "".join(kinds) == "ssssmsssmm"


def test_what_is_finished_is_skipped(make: Make, tmp_path: Path) -> None:
    path = write(tmp_path / "f", "a")
    assert links(make(path)) == ["a"]
    assert links(make(path)) == []


def test_what_has_changed_is_read_again(make: Make, tmp_path: Path) -> None:
    path = write(tmp_path / "f", "a")
    links(make(path))
    write(path, "a", "b")
    assert links(make(path)) == ["a", "b"]


def test_a_file_is_finished_only_when_all_of_it_is_confirmed(make: Make, tmp_path: Path) -> None:
    path = write(tmp_path / "f", "a", "b")
    take(make(path), 3)  # the last is a mark, which was not passed
    assert state(tmp_path, path) is InputState.LEFT
    assert links(make(path)) == ["a", "b"]
    assert state(tmp_path, path) is InputState.FINISHED


def test_a_stopped_run_is_gone_on_with_after_what_is_confirmed(make: Make, tmp_path: Path) -> None:
    path = write(tmp_path / "f", *"abcdefgh")
    take(make(path), 6)  # a b c mark d e
    assert links(make(path)) == ["d", "e", "f", "g", "h"]


class Choosy(Lines):
    """Accepts the links of some lines, as an option would allow them."""

    accepted: Collection[str] = ()

    def process_file(self, name: str, file: BinaryIO) -> Iterator[Story | Skipped | Named]:
        for item in super().process_file(name, file):
            link = item.rss_entry.link or "" if isinstance(item, Story) else ""
            if isinstance(item, Story) and link not in self.accepted:
                yield Skipped("bad-host", link, "10.0.0.1 refused (private)")
            else:
                yield item


@pytest.fixture
def choosy(tmp_path: Path) -> Iterator[Callable[..., Choosy]]:
    """Makes queuers of one file that accept some links."""
    made: list[Choosy] = []

    def make(path: Path, *accepted: str) -> Choosy:
        given = {"inputs": [str(path)], "data": tmp_path / "data", "shuffle_batch_size": 2}
        made.append(Choosy(QueuerOptions.chosen(given)))
        made[-1].name, made[-1].accepted = "lines", accepted
        return made[-1]

    yield make
    for each in made:
        each.close()


def test_an_input_whose_items_are_all_refused_fails_and_is_read_again(
    choosy: Callable[..., Choosy], tmp_path: Path
) -> None:
    path = write(tmp_path / "f", "a", "-", "b")
    first = choosy(path)
    found, error = until_it_fails(first)
    assert (found, first.inputs) == ([], {"failed": 1})
    assert f"{path}: none of its 3 items is accepted (bad-host 2, bad 1): a: 10.0.0.1" in error
    assert "refused (private): --allow-private allows it" in error
    # With the option that was missing, all of it is read, without --force.
    assert links(choosy(path, "a", "b")) == ["a", "b"]
    again = choosy(path)
    assert links(again) == []
    assert again.inputs == {"skipped": 1}


def test_an_input_with_one_accepted_item_is_done(
    choosy: Callable[..., Choosy], tmp_path: Path
) -> None:
    path = write(tmp_path / "f", "a", "b", "c")
    assert links(choosy(path, "b")) == ["b"]
    assert state(tmp_path, path) is InputState.FINISHED


@pytest.mark.parametrize("last", ["c", "broken"])
def test_refused_items_before_a_stop_or_a_damage_are_read_again(
    choosy: Callable[..., Choosy], tmp_path: Path, last: str
) -> None:
    path = write(tmp_path / "f", "a", "b", last)
    produced = choosy(path).produce()
    next(produced)
    next(produced)
    with pytest.raises((Stopped, InputError)):
        produced.throw(Stopped()) if last == "c" else [*produced]
    produced.close()
    assert until_it_fails(choosy(path, "a", "b", "c"))[0][:2] == ["a", "b"]


def test_a_failing_input_does_not_keep_others_from_being_read(make: Make, tmp_path: Path) -> None:
    bad, good = write(tmp_path / "bad", "a", "b", "broken", "c"), write(tmp_path / "good", "d")
    found, error = until_it_fails(make(bad, good))
    assert found == ["a", "b", "d"]
    assert error == f"inputs failed: {bad}: broken"
    assert state(tmp_path, good) is InputState.FINISHED


def test_a_failing_input_is_not_done_and_what_could_be_read_is_not_read_again(
    make: Make, tmp_path: Path
) -> None:
    path = write(tmp_path / "f", "a", "b", "broken")
    assert until_it_fails(make(path))[0] == ["a", "b"]
    assert state(tmp_path, path) is InputState.LEFT
    assert until_it_fails(make(path))[0] == []


def test_a_truncated_gzip_gives_what_can_be_read_and_is_not_done(
    make: Make, tmp_path: Path
) -> None:
    path = tmp_path / "f.gz"
    packed = gzip.compress(b"".join(b"http://a.example/%d\n" % n for n in range(50_000)))
    path.write_bytes(packed[:-1000])
    found, error = until_it_fails(make(path, shuffle_batch_size=2500))
    assert "cut off" in error
    assert len(found) > 40_000
    assert state(tmp_path, path) is InputState.LEFT


def test_an_input_that_is_gone_fails(make: Make, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        links(make(tmp_path / "missing"))
    with pytest.raises(ConfigurationError, match="nothing to read"):
        links(make())


def test_what_another_process_reads_is_skipped(make: Make, tmp_path: Path) -> None:
    path = write(tmp_path / "f", "a", "b")
    first = make(path).produce()
    next(first)
    assert links(make(path)) == []
    first.close()
    assert links(make(path)) == ["a", "b"]


@pytest.mark.parametrize(
    "given",
    [{"force": True}, {"max_messages": 9}, {"random_sample": 100.0}, {"sample_size": 9}],
    ids=lambda given: next(iter(given)),
)
def test_forced_and_sampled_runs_leave_the_tracker_alone(
    make: Make, tmp_path: Path, given: dict[str, Any]
) -> None:
    path = write(tmp_path / "f", "a")
    assert links(make(path, **given)) == ["a"]
    assert state(tmp_path, path) is InputState.NEW
    links(make(path))
    assert links(make(path, **given)) == ["a"]


def test_a_dry_run_changes_nothing(make: Make, tmp_path: Path) -> None:
    path = write(tmp_path / "f", "a")
    assert links(make(path, dry_run=True)) == ["a"]
    assert not (tmp_path / "data").exists()
    links(make(path))
    assert links(make(path, dry_run=True)) == []


def test_a_test_lists_inputs_and_reads_none(
    make: Make, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = write(tmp_path / "in/1", "a"), write(tmp_path / "in/2", "a")
    links(make(one))
    capsys.readouterr()
    assert list(make(tmp_path / "in", test=True).produce()) == []
    assert capsys.readouterr().out == f"{two}\tnot started\n{one}\tfinished\n"


def test_what_a_killed_older_program_left_is_taken_up_with_cleanup(
    make: Make, tmp_path: Path
) -> None:
    path = write(tmp_path / "f", "a")
    queuer = make(path)
    tracker = Tracker(tmp_path / "data/lines/file-tracker.sqlite3", clock=lambda: 0.0)
    with tracker._open(writing=True) as db:  # a row without progress, as the older system's
        db.execute("INSERT INTO files VALUES ('f', 'STARTED', 0)")
    assert links(queuer) == []
    assert links(make(path, cleanup=True)) == ["a"]


def test_a_url_is_read_again_when_its_content_has_changed(
    make: Make, httpserver: HTTPServer
) -> None:
    url = httpserver.url_for("/feed")
    found = []
    for body in ("a\n", "a\n", "a\nb\n"):
        httpserver.clear()
        httpserver.expect_request("/feed").respond_with_data(body)
        found.append(links(make(url)))
    assert found == [["a"], [], ["a", "b"]]


def test_an_input_may_name_others_which_are_tracked_on_their_own(
    make: Make, tmp_path: Path, httpserver: HTTPServer
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
def test_an_input_may_name_nothing_but_the_web(make: Make, tmp_path: Path, named: str) -> None:
    with pytest.raises(InputError, match="only http"):
        links(make(write(tmp_path / "f", f"+ {named}")))


def test_inputs_that_name_each_other_end(
    make: Make, httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch
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


def test_what_is_not_tracked_is_listed_as_such(
    make: Make, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "f", "a")
    assert list(make(path, test=True, force=True).produce()) == []
    assert capsys.readouterr().out == f"{path}\tnot tracked\n"


def test_a_watching_queuer_finds_what_is_new_and_what_has_changed(
    make: Make, tmp_path: Path
) -> None:
    folder = tmp_path / "in"
    old = write(folder / "1", "a")
    produced = make(folder, watch=0.01).produce()
    assert _next_links(produced, 1) == ["a"]
    write(folder / "2", "b")
    assert _next_links(produced, 1) == ["b"]
    write(old, "a", "c")
    assert _next_links(produced, 2) == ["a", "c"]
    old.write_bytes(gzip.compress(b"d")[:5])  # a failure is not the end
    write(folder / "3", "e")
    assert _next_links(produced, 1) == ["e"]
    produced.close()


def _next_links(produced: Generator[Story | Skipped | Mark, None, None], count: int) -> list[str]:
    """The next links, up to the mark that follows them."""
    found: list[str] = []
    for item in produced:
        if isinstance(item, Story):
            found.append(item.rss_entry.link or "")
        elif len(found) >= count:
            break
    return found
