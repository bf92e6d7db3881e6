"""What a run starts, and what it refuses to start."""

from io import StringIO
from pathlib import Path

import pytest

from indexer.blobstore.directory import path_of
from indexer.commands.running.choice import Choice
from indexer.commands.running.plan import (
    ensure_same_way,
    given_to_programs,
    make_plan,
    prepared_queues,
)
from indexer.commands.running.request import RunRequest
from indexer.errors import ConfigurationError
from indexer.messages.message import Send
from indexer.messages.pipelines import Step
from indexer.stories.archiving.archive_stores import archive_stores
from pipeline import flavor
from tests.each_row import each_row
from workers.stories.archiver import ArchiverOptions


def nothing_left(_: Step) -> int:
    return 0


def test_the_sample_is_for_runs_that_name_nothing() -> None:
    assert RunRequest().wants_sample
    assert not RunRequest(inputs=["feed.xml"]).wants_sample
    assert not RunRequest(type="queue-fetcher").wants_sample


def test_a_dry_run_is_for_a_flavor_that_updates(tmp_path: Path) -> None:
    request = RunRequest(data=tmp_path, dry_run=True)
    chosen = Choice(flavor("csv"), {"csv-queuer": ["urls.csv"]})
    with pytest.raises(ConfigurationError, match="--type reparse"):
        make_plan(request, chosen, {})


def test_a_dry_run_writes_nothing_and_remembers_nothing(tmp_path: Path) -> None:
    request = RunRequest(data=tmp_path, dry_run=True)
    chosen = Choice(flavor("reparse"), {"reparse-queuer": ["a.warc.gz"]})
    plan = make_plan(request, chosen, given_to_programs(request, {}))
    assert plan.environment["IMPORTER_DRY_RUN"] == "true"
    assert {step.name: step.settings for step in plan.consumers} == {
        "parser": {"PARSER_KEEP_PARSED_DATE": "true"},
        "importer": {"IMPORTER_UPDATE": "true"},
    }
    assert plan.environment["IMPORTER_DIFFERENCES"].startswith(str(tmp_path / "differences"))
    assert "--force" in plan.arguments["reparse-queuer"]


def test_the_settings_of_the_flavor_yield_to_what_was_asked_for(tmp_path: Path) -> None:
    request = RunRequest(data=tmp_path, settings={"ARCHIVER_PREFIX": "mine"})
    chosen = Choice(flavor("csv"), {"csv-queuer": ["urls.csv"]})
    plan = make_plan(request, chosen, given_to_programs(request, {}))
    assert plan.environment["ARCHIVER_PREFIX"] == "mine"


def test_what_an_earlier_flavor_left_is_not_led_elsewhere() -> None:
    lock = StringIO("queue-fetcher+csv")
    left = {"importer": 3}
    with pytest.raises(ConfigurationError, match=r"3 messages .* wait for the importer"):
        ensure_same_way(lock, flavor("archive"), lambda step: left.get(step.name, 0))
    assert lock.getvalue() == "queue-fetcher+csv"


@each_row("earlier", ["", "queue-fetcher", "archive", "a flavor of long ago"])
def test_another_flavor_may_run_where_nothing_was_left(earlier: str) -> None:
    lock = StringIO(earlier)
    ensure_same_way(lock, flavor("archive"), nothing_left)
    assert lock.getvalue() == "archive"


def test_what_goes_the_same_way_may_be_left() -> None:
    left = {"fetcher": 5, "importer": 5}
    ensure_same_way(StringIO("queue-fetcher"), flavor("csv"), lambda step: left.get(step.name, 0))
    ensure_same_way(StringIO("archive"), flavor("archive"), lambda step: left.get(step.name, 0))


def test_programs_of_a_run_do_not_wait_for_a_deployment_nor_share_a_port(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DEPLOYMENT_ID", "mc-configuration-1")
    monkeypatch.setenv("TEST_FILE_PREFIX", "a")
    monkeypatch.setenv("METRICS_ADDRESS", "127.0.0.1:9100")
    given = given_to_programs(RunRequest(), {})
    assert given.keys().isdisjoint({"DEPLOYMENT_ID", "TEST_FILE_PREFIX"})
    assert given["METRICS_ADDRESS"] == "127.0.0.1:0"


@each_row("name", ["my news", "it's", "a,b", "50%"])
def test_archives_are_in_the_data_directory_whatever_its_name(name: str, tmp_path: Path) -> None:
    given = given_to_programs(RunRequest(data=tmp_path / name), {})
    (url,) = [store.url for store in archive_stores(ArchiverOptions.of(given)).values()]
    assert path_of(url) == tmp_path / name / "archive"


def test_archives_go_to_each_place_that_was_asked_for(tmp_path: Path) -> None:
    places = [str(tmp_path / "one place"), str(tmp_path / "another")]
    given = given_to_programs(RunRequest(archives=places), {})
    assert ArchiverOptions.of(given).archive_url == places


@each_row(
    ("earlier", "step", "now", "dry_run"),
    [
        # On its way it passes a step that sends it elsewhere now.
        ("queue-fetcher", "parser", "reparse", False),
        # It would be archived again.
        ("archive", "importer", "csv", False),
        # The importer would drop what it doesn't have.
        ("archive", "importer", "reparse", False),
        ("reparse", "importer", "archive", False),
        # What was only to be looked at would be written, or what was to be written be dropped.
        ("reparse --dry-run", "parser", "reparse", False),
        ("reparse", "parser", "reparse", True),
    ],
)
def test_what_was_left_is_treated_as_it_was_meant(
    earlier: str, step: str, now: str, dry_run: bool
) -> None:
    left = {step: 2}
    with pytest.raises(ConfigurationError, match=f"2 messages .* wait for the {step}"):
        ensure_same_way(
            StringIO(earlier), flavor(now), lambda step: left.get(step.name, 0), dry_run=dry_run
        )


def test_what_a_dry_run_left_is_looked_at_by_the_next() -> None:
    lock = StringIO("reparse --dry-run")
    ensure_same_way(lock, flavor("reparse"), lambda _: 2, dry_run=True)
    assert lock.getvalue() == "reparse --dry-run"


def test_polls_that_an_earlier_follow_left_are_finished_by_following_again() -> None:
    with pytest.raises(ConfigurationError, match=r"finish that run first \(story-indexer follow\)"):
        ensure_same_way(
            StringIO("follow"), flavor("csv"), lambda step: int(step.name == "feed-parser")
        )


def test_stories_go_the_same_way_in_a_run_and_when_feeds_are_followed() -> None:
    lock = StringIO("queue-fetcher")
    ensure_same_way(lock, flavor("follow"), lambda step: int(step.name in ("fetcher", "archiver")))
    assert lock.getvalue() == "follow"


def test_a_step_that_is_off_is_started_for_the_messages_that_an_earlier_run_left(
    tmp_path: Path,
) -> None:
    request = RunRequest(data=tmp_path)
    chosen = Choice(flavor("csv"), {"csv-queuer": ["urls.csv"]})
    plan = make_plan(request, chosen, given_to_programs(request, {}))
    with prepared_queues(plan, StringIO()) as broker:
        assert "drop-archiver" not in {step.name for step in plan.consumers}
        broker.publish([Send("", "drop-archiver-in", b"a story")])
    with prepared_queues(plan, StringIO()):
        assert "drop-archiver" in {step.name for step in plan.started.consumers}
