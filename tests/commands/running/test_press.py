"""A flavor of a new family needs nothing but its data: choice, plan, progress, summary, funnel."""

import io
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from indexer.broker import open_broker
from indexer.commands.running.choice import Choice, choose
from indexer.commands.running.places import check_stores
from indexer.commands.running.plan import given_to_programs, make_plan
from indexer.commands.running.progress import RunProgress
from indexer.commands.running.request import RunRequest
from indexer.commands.running.summary import Before, show, summarize
from indexer.errors import ConfigurationError
from indexer.messages.outcome import OutcomeKind
from indexer.messages.pipelines import Pipeline, flow
from indexer.pipeview.funnel import funnel
from indexer.running.tally import Tally
from pipeline import PIPELINES
from tests.commands.running.press import BARE, DESCRIBED

NOTHING = Before(waiting=0, quarantined=0)
FLAVORS = pytest.mark.parametrize("press", [BARE, DESCRIBED], ids=["bare", "described"])


def counted() -> Tally:
    """Three messages, one of which is dropped; the last step has one of them, and one file."""
    tally = Tally()
    for _ in range(3):
        tally.add("reporter", OutcomeKind.QUEUED, "queuing")
    tally.add("printer", OutcomeKind.DISCARD, "blank")
    for step in ("printer", "printer", "kiosk"):
        tally.add(step, OutcomeKind.DONE, "success")
    tally.add_made("file:///press/1.txt")
    return tally


@pytest.fixture
def listed(tmp_path: Path) -> str:
    (tmp_path / "list.txt").write_text("http://a.example/1\nhttp://b.example/2\n")
    return str(tmp_path / "list.txt")


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The described flavor is the first of all flavors."""
    monkeypatch.setattr("indexer.commands.running.choice.PIPELINES", [DESCRIBED, *PIPELINES])


def test_an_input_is_for_the_first_flavor_that_reads_its_kind(
    known: None, listed: str, tmp_path: Path
) -> None:
    chosen = choose([listed], "", tmp_path, {})
    assert (chosen.pipeline.name, chosen.arguments) == ("press", {"reporter": [listed]})


def test_flavors_that_share_no_step_run_at_once(known: None, listed: str, tmp_path: Path) -> None:
    (tmp_path / "feed.xml").write_text("<rss><channel><item/></channel></rss>")
    chosen = choose([listed, str(tmp_path / "feed.xml")], "", tmp_path, {})
    assert set(chosen.arguments) == {"reporter", "rss-queuer"}


def test_flavors_whose_shared_step_works_differently_need_runs_of_their_own(
    listed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "feed.xml").write_text("<rss><channel><item/></channel></rss>")
    steps = [
        replace(DESCRIBED.steps[0], name="agency", reads=["feed"]),
        replace(DESCRIBED.steps[1], settings={"TOY_INK": "red"}),
        DESCRIBED.steps[2],
    ]
    flavors = [DESCRIBED, Pipeline("red press", steps)]
    monkeypatch.setattr("indexer.commands.running.choice.PIPELINES", flavors)
    with pytest.raises(ConfigurationError, match="press and red press differ from the printer on"):
        choose([listed, str(tmp_path / "feed.xml")], "", tmp_path, {})


@FLAVORS
def test_the_plan_has_the_settings_of_steps_and_the_queues_to_watch(
    press: Pipeline, tmp_path: Path
) -> None:
    request = RunRequest(data=tmp_path, replicas={"printer": 2})
    given = given_to_programs(request, {})
    check_stores(press, given)
    plan = make_plan(request, Choice(press, {"reporter": ["x"]}), given)
    assert plan.arguments == {"reporter": ["--loop", "x"]}
    assert "printer-in" in plan.environment["WATCH_QUEUES"]
    assert [step.name for step in plan.consumers] == ["printer", "kiosk"]
    assert not (tmp_path / "index.sqlite3").exists()


def test_a_dry_run_is_for_flavors_that_have_a_setting_for_it(tmp_path: Path) -> None:
    request = RunRequest(data=tmp_path, dry_run=True, started="now")
    plan = make_plan(request, Choice(DESCRIBED), {})
    assert plan.environment["TOY_DRY_RUN"] == "true"
    assert plan.environment["TOY_REPORT"] == str(tmp_path / "proofs" / "now")
    with pytest.raises(ConfigurationError, match="--dry-run is for"):
        make_plan(request, Choice(BARE), {})


@pytest.mark.parametrize(("press", "speed"), [(BARE, "done/s"), (DESCRIBED, "printed/s")])
def test_the_progress_has_each_step_and_the_speed_at_the_goal(
    press: Pipeline, speed: str, tmp_path: Path
) -> None:
    broker = open_broker(f"sqlite:///{tmp_path / 'queues.sqlite3'}")
    broker.declare(press.compile())
    out = io.StringIO()
    with RunProgress(press, broker, counted(), lambda _: 0, Console(file=out, width=80)) as shown:
        shown.tick()
    broker.close()
    assert "reporter 3, printer 2, kiosk 1" in out.getvalue()
    assert speed in out.getvalue()


def test_the_summary_of_a_bare_flavor_counts_what_its_last_step_has_done() -> None:
    summary = summarize(BARE, counted(), NOTHING, NOTHING, seconds=1, complete=True)
    assert (summary.queued, summary.done, summary.discarded) == (3, {"done": 1}, {"blank": 1})
    assert summary.accounted


def test_the_summary_uses_the_words_of_the_flavor() -> None:
    after = Before(waiting=0, quarantined=0, unarchived=1)
    summary = summarize(DESCRIBED, counted(), NOTHING, after, seconds=1, complete=False)
    assert summary.done == {"printed": 2, "sold": 1}
    assert summary.accounted
    out = io.StringIO()
    show(summary, DESCRIBED, Console(file=out, width=100))
    rows = [line.split()[:3] for line in out.getvalue().splitlines()]
    for row in (["printed", "2"], ["sold", "1"], ["not", "sold", "1"], ["papers", "1"]):
        assert row in [found[: len(row)] for found in rows], out.getvalue()
    assert not any("indexed" in row or "archives" in row for row in rows)


def test_a_message_that_disappears_is_noticed_where_a_goal_is_declared() -> None:
    tally = Tally()
    tally.add("reporter", OutcomeKind.QUEUED, "queuing")
    for press, accounted in ((BARE, True), (DESCRIBED, False)):
        summary = summarize(press, tally, NOTHING, NOTHING, seconds=1, complete=True)
        assert summary.accounted is accounted


def test_the_funnel_has_the_steps_of_all_families_in_the_order_of_their_flows() -> None:
    sums = [
        {"app": app, "status": "success", "stories": 1}
        for app in ("kiosk", "archiver", "printer", "aardvark", "reporter", "fetcher")
    ]
    stages = [stage.app for stage in funnel(sums, flow([*PIPELINES, BARE]))]
    for order in (["reporter", "printer", "kiosk"], ["fetcher", "archiver"]):
        assert [app for app in stages if app in order] == order
    assert stages[-1] == "aardvark"
