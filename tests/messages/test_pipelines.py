"""Pipelines as data: what they compile to."""

from collections.abc import Sequence

import pytest

from indexer.errors import ConfigurationError
from indexer.messages.exchanges import Exchange
from indexer.messages.pipelines import Pipeline, Step, flow, union
from indexer.messages.topology import Binding, Destination, Queue, Topology
from tests.each_row import each_row


def queues(*names: str) -> list[Queue]:
    """The queues of each consumer."""
    return [
        queue
        for name in names
        for queue in (
            Queue(f"{name}-in", dead_letter=f"{name}-quar"),
            Queue(f"{name}-quar"),
            Queue(f"{name}-fast", dead_letter=f"{name}-in"),
            Queue(f"{name}-delay-short", dead_letter=f"{name}-in"),
            Queue(f"{name}-delay", dead_letter=f"{name}-in"),
            Queue(f"{name}-delay-long", dead_letter=f"{name}-in"),
        )
    ]


def topology(
    queues: list[Queue],
    exchanges: list[str],
    bindings: list[Binding],
    shared: Sequence[str] = (),
    instances: Sequence[str] = (),
) -> Topology:
    return Topology(queues, exchanges, bindings, [*shared], [*instances])


COMPILED = {
    "a line": (
        Pipeline("p", [Step("a", to=["b"]), Step("b")]),
        topology(
            queues=[*queues("b"), Queue("b-end", keep=False)],
            exchanges=["a-out", "b-out"],
            bindings=[Binding("a-out", "b-in", "#"), Binding("b-out", "b-end", "#")],
        ),
    ),
    "a fork": (
        Pipeline("p", [Step("a", to=["b", "c"]), Step("b", to=["c"]), Step("c")]),
        topology(
            queues=[*queues("b", "c"), Queue("c-end", keep=False)],
            exchanges=["a-out", "b-out", "c-out"],
            bindings=[
                Binding("a-out", "b-in", "#"),
                Binding("a-out", "c-in", "#"),
                Binding("b-out", "c-in", "#"),
                Binding("c-out", "c-end", "#"),
            ],
        ),
    ),
    "a lone producer": (
        Pipeline("p", [Step("a")]),
        topology(
            queues=[Queue("a-end", keep=False)],
            exchanges=["a-out"],
            bindings=[Binding("a-out", "a-end", "#")],
        ),
    ),
    "a listener": (
        Pipeline("p", [Step("a"), Step("b", listen=["x.*"])], exchange=Exchange("all")),
        topology(
            queues=[*queues("b"), Queue("a-end", keep=False), Queue("b-end", keep=False)],
            exchanges=["a-out", "b-out", "all"],
            bindings=[
                Binding("all", "b-in", "x.*"),
                Binding("a-out", "a-end", "#"),
                Binding("b-out", "b-end", "#"),
            ],
        ),
    ),
    "a step that speaks": (
        Pipeline(
            "p",
            [Step("a", speak=["x.#"], listen=["y"]), Step("b", speak=["y"], listen=["x.*"])],
            exchange=Exchange("all", shared=True),
        ),
        topology(
            queues=queues("a", "b"),
            exchanges=["a-out", "b-out"],
            bindings=[
                Binding("all", "a-in", "y"),
                Binding("a-out", "all", "x.#", Destination.EXCHANGE),
                Binding("all", "b-in", "x.*"),
                Binding("b-out", "all", "y", Destination.EXCHANGE),
            ],
            shared=["all"],
        ),
    ),
    "some keys": (
        Pipeline("p", [Step("a", to={"b": ["x", "y.*"], "c": ["z"]}), Step("b"), Step("c")]),
        topology(
            queues=[*queues("b", "c"), Queue("b-end", keep=False), Queue("c-end", keep=False)],
            exchanges=["a-out", "b-out", "c-out"],
            bindings=[
                Binding("a-out", "b-in", "x"),
                Binding("a-out", "b-in", "y.*"),
                Binding("a-out", "c-in", "z"),
                Binding("b-out", "b-end", "#"),
                Binding("c-out", "c-end", "#"),
            ],
        ),
    ),
    "a named queue, and one for each instance": (
        Pipeline(
            "p",
            [Step("b", listen=["x"], instances=["stop.*"], queue="b_worker")],
            exchange=Exchange("all"),
        ),
        topology(
            queues=[
                Queue("b_worker", dead_letter="b-quar"),
                Queue("b-quar"),
                Queue("b-fast", dead_letter="b_worker"),
                Queue("b-delay-short", dead_letter="b_worker"),
                Queue("b-delay", dead_letter="b_worker"),
                Queue("b-delay-long", dead_letter="b_worker"),
                Queue("b-end", keep=False),
            ],
            exchanges=["b-out", "all"],
            bindings=[
                Binding("all", "b_worker", "x"),
                Binding("all", "b-instances", "stop.*", Destination.EXCHANGE),
                Binding("b-out", "b-end", "#"),
            ],
            instances=["b-instances"],
        ),
    ),
    "nothing": (Pipeline("p", []), topology([], [], [])),
}


@pytest.mark.parametrize(("pipeline", "expected"), COMPILED.values(), ids=COMPILED.keys())
def test_a_pipeline_compiles_to_this(pipeline: Pipeline, expected: Topology) -> None:
    assert pipeline.compile() == expected


@each_row(
    ("pipeline", "why"),
    [
        (Pipeline("p", [Step("a"), Step("a")]), "p: a step's name is there twice"),
        (Pipeline("p", [Step("a", to=["b"])]), r"p: a sends to unknown \['b'\]"),
        (
            Pipeline("p", [Step("a", listen=["#"])]),
            "p: a listens, but the pipeline has no exchange",
        ),
        (
            Pipeline("p", [Step("a", speak=["#"])]),
            "p: a speaks, but the pipeline has no exchange",
        ),
        (
            Pipeline("p", [Step("a", speak=["x.*"], listen=["*.y"])], exchange=Exchange("e")),
            r"p: a would get its own output: it speaks x\.\* and listens to \*\.y",
        ),
        (
            Pipeline("p", [Step("a", speak=["stop"], instances=["#"])], exchange=Exchange("e")),
            "p: a would get its own output: it speaks stop and listens to #",
        ),
    ],
)
def test_a_pipeline_that_cannot_work_says_why(pipeline: Pipeline, why: str) -> None:
    with pytest.raises(ConfigurationError, match=why):
        pipeline.compile()


def test_a_steps_program_is_found_by_its_name() -> None:
    pipeline = Pipeline("p", [], family="stories")
    assert pipeline.program(Step("rss-queuer")) == "workers.stories.rss_queuer"
    assert pipeline.program(Step("x", program="workers.other.y")) == "workers.other.y"


def test_pipelines_that_share_a_step_join_its_outputs_with_their_keys() -> None:
    one = Pipeline("one", [Step("a", to={"b": ["x"]}), Step("b")])
    two = Pipeline("two", [Step("a", to={"b": ["x", "y"], "c": ["z"]}), Step("b"), Step("c")])
    assert union([one, two]).steps[0].targets == {"b": ["x", "y"], "c": ["z"]}


CHAIN = [Step("a", to=["b"]), Step("b", to=["c", "d"]), Step("c", to=["e"]), Step("d"), Step("e")]


def test_a_pipeline_knows_its_producers_its_consumers_and_what_is_beyond_a_step() -> None:
    pipeline = Pipeline("p", CHAIN)
    assert [step.name for step in pipeline.producers] == ["a"]
    assert [step.name for step in pipeline.consumers] == ["b", "c", "d", "e"]
    assert pipeline.beyond("b") == {"c", "d", "e"}
    assert pipeline.beyond("e") == pipeline.beyond("of another pipeline") == set()


def test_the_goal_is_the_last_step_unless_another_one_is_declared() -> None:
    assert Pipeline("p", CHAIN).goal.name == "e"
    declared = [Step("a", to=["b"]), Step("b", to=["c"], goal=True), Step("c")]
    assert Pipeline("p", declared).goal.name == "b"


def test_messages_have_ended_at_the_goal_and_in_steps_that_do_not_lead_there() -> None:
    steps = [Step("a", to=["b", "x"]), Step("b", to=["c"], goal=True), Step("c"), Step("x")]
    assert Pipeline("p", steps).aside == {"c", "x"}
    assert Pipeline("p", CHAIN).aside == set()


def test_a_step_that_a_setting_turns_on_is_used_only_with_it() -> None:
    step = Step("a", only_with="DROPS")
    assert [step.is_used({"DROPS": value}) for value in ("true", "1", "false", "")] == [1, 1, 0, 0]
    assert not step.is_used({})
    assert Step("b").is_used({})


def test_the_words_for_finished_messages_are_those_of_the_steps() -> None:
    steps = [
        Step("a"),
        Step("b", counts="read"),
        Step("c", counts="kept"),
        Step("d", counts="read"),
    ]
    assert Pipeline("p", steps).counts == {"read": ["b", "d"], "kept": ["c"]}
    assert Pipeline("p", CHAIN).counts == {"done": ["e"]}


def test_in_the_flow_of_all_pipelines_a_step_comes_before_those_that_get_its_output() -> None:
    other = Pipeline("q", [Step("x", to=["c"]), Step("c", to=["e"]), Step("e")])
    order = flow([Pipeline("p", CHAIN), other])
    assert sorted(order) == ["a", "b", "c", "d", "e", "x"]
    for step in (*CHAIN, *other.steps):
        for target in step.targets:
            assert order.index(step.name) < order.index(target)


def test_steps_in_a_circle_have_no_order() -> None:
    with pytest.raises(ConfigurationError, match="in a circle: "):
        flow([Pipeline("p", [Step("a", to=["b"]), Step("b", to=["a"])])])
