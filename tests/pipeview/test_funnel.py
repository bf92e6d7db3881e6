"""The funnel: sums by step and status, grouped by step."""

from indexer.messages.pipelines import flow
from indexer.pipeview.funnel import Stage, funnel
from pipeline import PIPELINES

FLOW = flow(PIPELINES)


def of(*sums: tuple[str, str, int]) -> list[Stage]:
    """Return the funnel of rows of step, status and number of stories."""
    rows = ({"app": app, "status": status, "stories": n} for app, status, n in sums)
    return funnel(rows, FLOW)


def test_steps_are_in_the_order_of_the_flow_and_others_follow_by_name() -> None:
    stages = of(*((app, "success", 1) for app in ("zebra", *reversed(FLOW), "aardvark")))
    assert [stage.app for stage in stages] == [*FLOW, "aardvark", "zebra"]


def test_retries_and_requeues_are_not_among_the_statuses() -> None:
    (stage,) = of(
        ("fetcher", "http-404", 2),
        ("fetcher", "success", 9),
        ("fetcher", "retry-noconn", 5),
        ("fetcher", "requeue-busy", 4),
        ("fetcher", "retry", 1),
    )
    assert stage == Stage(
        "fetcher",
        12,
        {"success": 9, "http-404": 2, "retry": 1},
        {"noconn": 5},
        {"busy": 4},
    )
    assert [*stage.statuses] == ["success", "http-404", "retry"]


def test_without_sums_there_are_no_stages() -> None:
    assert of() == []
