"""Pipelines as data: what they compile to, and which keys a binding matches."""

from collections.abc import Sequence
from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.errors import ConfigurationError
from indexer.messages.topology import Binding, Pipeline, Queue, Step, Topology, matches

KEYS = ["", "a", "b", "a.b", "a.b.c", "b.a", "a..c", "a.", ".", "default", "*", "#"]
PATTERNS = ["", "a", "*", "#", "a.*", "a.#", "#.a", "*.*", "a.#.c", "#.*", "a.*.c", "*.#.*"]


@pytest.mark.parametrize(
    ("pattern", "matching"),
    [
        ("default", {"default"}),
        ("#", set(KEYS)),
        ("*", {"a", "b", "default", "*", "#"}),
        ("", {""}),
        ("a.*", {"a.b", "a."}),
        ("a.#", {"a", "a.b", "a.b.c", "a..c", "a."}),
        ("#.a", {"a", "b.a"}),
        ("*.*", {"a.b", "b.a", "a.", "."}),
        ("a.#.c", {"a.b.c", "a..c"}),
        ("a.*.c", {"a.b.c", "a..c"}),
        ("#.#", set(KEYS)),
        ("#.*", set(KEYS) - {""}),
        ("A", set()),
    ],
)
def test_a_pattern_matches_these_keys(pattern: str, matching: set[str]) -> None:
    assert {key for key in KEYS if matches(pattern, key)} == matching


word = st.sampled_from(["a", "b", "c"])


@given(st.lists(word, max_size=5), st.data())
def test_a_key_matches_itself_with_words_replaced(
    words: Sequence[str], data: st.DataObject
) -> None:
    pattern = [data.draw(st.sampled_from([word, "*"])) for word in words]
    cut = slice(*sorted(data.draw(st.tuples(*[st.integers(0, len(words))] * 2))))
    assert matches(".".join(pattern), ".".join(words))
    pattern[cut] = ["#"]
    assert matches(".".join(pattern), ".".join(words))


@given(st.lists(word | st.sampled_from("*#"), max_size=6), st.lists(word, max_size=6))
def test_matching_agrees_with_an_automaton(pattern: Sequence[str], words: Sequence[str]) -> None:
    """A second implementation: the set of places in the pattern that can be reached."""

    def closure(places: set[int]) -> set[int]:
        more = {p + 1 for p in places if p < len(pattern) and pattern[p] == "#"}
        return places if more <= places else closure(places | more)

    def step(places: set[int], word: str) -> set[int]:
        on = {p + 1 for p in places if p < len(pattern) and pattern[p] in ("*", word)}
        return closure(on | {p for p in places if p < len(pattern) and pattern[p] == "#"})

    reached = reduce(step, words, closure({0}))
    assert matches(".".join(pattern), ".".join(words)) == (len(pattern) in reached)


def queues(*names: str) -> list[Queue]:
    """The four queues of each consumer."""
    return [
        queue
        for name in names
        for queue in (
            Queue(f"{name}-in", dead_letter=f"{name}-quar"),
            Queue(f"{name}-quar"),
            Queue(f"{name}-delay", dead_letter=f"{name}-in"),
            Queue(f"{name}-fast", dead_letter=f"{name}-in"),
        )
    ]


COMPILED = {
    "a line": (
        Pipeline("p", [Step("a", to=["b"]), Step("b")]),
        Topology(
            queues=[*queues("b"), Queue("b-end", keep=False)],
            exchanges=["a-out", "b-out"],
            bindings=[Binding("a-out", "b-in", "#"), Binding("b-out", "b-end", "#")],
        ),
    ),
    "a fork": (
        Pipeline("p", [Step("a", to=["b", "c"]), Step("b", to=["c"]), Step("c")]),
        Topology(
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
        Topology(
            queues=[Queue("a-end", keep=False)],
            exchanges=["a-out"],
            bindings=[Binding("a-out", "a-end", "#")],
        ),
    ),
    "a listener": (
        Pipeline("p", [Step("a"), Step("b", listen=["x.*"])], exchange="all"),
        Topology(
            queues=[*queues("b"), Queue("b-end", keep=False)],
            exchanges=["a-out", "b-out", "all"],
            bindings=[
                Binding("all", "b-in", "x.*"),
                Binding("a-out", "b-in", "x.*"),
                Binding("b-out", "b-end", "#"),
            ],
        ),
    ),
    "nothing": (Pipeline("p", []), Topology([], [], [])),
}


@pytest.mark.parametrize(("pipeline", "topology"), COMPILED.values(), ids=COMPILED.keys())
def test_a_pipeline_compiles_to_this(pipeline: Pipeline, topology: Topology) -> None:
    assert pipeline.compile() == topology


@pytest.mark.parametrize(
    ("pipeline", "why"),
    [
        (Pipeline("p", [Step("a"), Step("a")]), "p: a step's name is there twice"),
        (Pipeline("p", [Step("a", to=["b"])]), r"p: a sends to unknown \['b'\]"),
        (
            Pipeline("p", [Step("a", listen=["#"])]),
            "p: a listens, but the pipeline has no exchange",
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
