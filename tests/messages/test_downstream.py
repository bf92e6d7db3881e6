"""The queues after a step, in all flavors, in circles, and beside foreign programs."""

import pytest

from indexer.messages.downstream import downstream
from indexer.messages.exchanges import Exchange
from indexer.messages.pipelines import Pipeline, Step
from indexer.messages.topology import Binding, Queue, Topology, quarantine_queue
from pipeline import PIPELINES


@pytest.mark.parametrize("flavor", PIPELINES, ids=lambda flavor: flavor.name)
def test_all_queues_after_each_producer_are_found_but_quarantines(flavor: Pipeline) -> None:
    routes = flavor.compile()
    for producer in flavor.producers:
        after = [step for step in flavor.steps if step.name in flavor.beyond(producer.name)]
        kept = {queue.name for queue in routes.queues if queue.keep}
        wanted = {
            queue.name
            for step in after
            for queue in routes.queues
            if step.input in (queue.name, queue.dead_letter)
        }
        assert {*downstream(producer.name, routes)} == wanted
        assert wanted <= kept - {quarantine_queue(step.name) for step in flavor.steps}


def test_an_input_queue_with_a_name_of_its_own_leads_on() -> None:
    steps = [Step("a", to=["b"]), Step("b", to=["c"], queue="b_harvester"), Step("c")]
    found = downstream("a", Pipeline("f", steps).compile())
    assert {"b_harvester", "b-delay", "c-in", "c-fast"} <= {*found}


def test_an_exchange_leads_to_those_that_listen_to_a_step_and_a_circle_ends() -> None:
    steps = [
        Step("asker", speak=["start.#"]),
        Step("doer", listen=["start.one"], instances=["stop.#"], speak=["status.#"]),
        Step("other", listen=["status.#"], speak=["start.two"]),
        Step("deaf", listen=["stop.#"]),
    ]
    exchange = Exchange("shared", {})
    found = downstream("asker", Pipeline("f", steps, exchange=exchange).compile())
    assert {name for name in found if name.endswith("-in")} == {"doer-in", "other-in"}


def test_queues_of_an_older_system_lead_on_by_their_names() -> None:
    queues = [Queue("parser-in"), Queue("importer-in"), Queue("a-backup")]
    bindings = [
        Binding("fetcher-out", "parser-in"),
        Binding("fetcher-out", "a-backup"),
        Binding("parser-out", "importer-in"),
    ]
    assert downstream("fetcher", Topology(queues, bindings=bindings)) == [
        "parser-in",
        "importer-in",
    ]


def test_nothing_is_after_a_step_that_is_not_bound() -> None:
    assert downstream("nobody", Topology()) == []
