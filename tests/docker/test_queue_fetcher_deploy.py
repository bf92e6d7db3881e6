"""queue-fetcher with the sample newsroom on a swarm: it flows, and survives what happens to it.

The tests are steps: each starts with what the one before has left.
"""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import typer.testing

from indexer.commands.pipeline import app
from indexer.news.normalized_urls import unique_url_hash
from newsroom.expected import expected
from scripts.dashboards import DASHBOARDS, queries
from scripts.docker import image
from scripts.docker.client import Client
from tests.docker.stack import Stack, stack_file, swarm, until

pytestmark = pytest.mark.timeout(1200)


@pytest.fixture(scope="module")
def images(client: Client) -> Sequence[str]:
    """Two images of the project: that of the stack, and that of an update."""
    return [image.build(client, tag, tag) for tag in ("latest", "next")]


def new_stack(client: Client, name: str, folder: Path, flavor: str) -> Stack:
    """A stack of a developer, with the sample newsroom."""

    def compose(options: Sequence[str]) -> None:
        command = ["compose", "--sample", "--type", flavor, *options]
        done = typer.testing.CliRunner().invoke(app, command)
        assert done.exit_code == 0, done.output

    return Stack(client, name, stack_file(folder / flavor, compose))


@pytest.fixture(scope="module")
def stack(
    client: Client, images: Sequence[str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Stack]:
    """The stack that the tests are about."""
    with swarm(client):
        yield new_stack(client, "news", tmp_path_factory.mktemp("stacks"), "queue-fetcher")


def ids(inputs: Sequence[str]) -> set[str]:
    """The ids of the stories that lists of the newsroom link to."""
    hosts = {urlsplit(url).hostname for url in inputs}
    return {
        unique_url_hash(document.url)
        for document in expected().documents
        if not hosts.isdisjoint(urlsplit(link).hostname for link in document.links)
    }


@pytest.fixture(scope="module")
def stories(stack: Stack) -> set[str]:
    """The ids of the stories of the stack's feeds."""
    return ids(stack.inputs("rss-queuer"))


def indexed(stack: Stack) -> set[str]:
    """The ids of the stories in the index."""
    rows = stack.rows("importer", "story-indexer", "search", "--all", "--format=jsonl")
    return {row["id"] for row in rows}


def archived(stack: Stack) -> dict[str, set[str]]:
    """The ids of the stories in each archive."""
    found: dict[str, set[str]] = {}
    for row in stack.rows("archiver", "story-indexer", "archives", "list", "--json"):
        found.setdefault(row["archive"], set()).add(unique_url_hash(row["url"]))
    return found


def waiting(stack: Stack) -> dict[str, int]:
    """The messages in each queue of its flavor that is not empty."""
    flavor = stack.services["configure"]["command"][-1]
    rows = stack.rows("configure", "story-indexer", "pipeline", "qlen", "--type", flavor, "--json")
    return {row["queue"]: row["ready"] for row in rows if row["ready"]}


def until_all_arrived(stack: Stack, stories: set[str], older: Collection[str] = ()) -> None:
    """Wait until all stories are in the index, and in archives other than the older ones."""

    def lacking() -> tuple[int, int]:
        new = set().union(*(ids for name, ids in archived(stack).items() if name not in older))
        return len(stories - indexed(stack)), len(stories - new)

    until(
        lambda: lacking() == (0, 0),
        "all stories are indexed and archived",
        lambda: f"lacking in the index, in the archives: {lacking()}; queues: {waiting(stack)}",
    )
    until(lambda: indexed(stack) == stories, "no other story is indexed")
    until(lambda: not waiting(stack), "all queues are empty", lambda: str(waiting(stack)))


def empty_index(stack: Stack) -> None:
    """Delete the index, and make it again."""
    ask = ("curl", "-fsS")
    [aliases] = stack.rows("elasticsearch", *ask, "localhost:9200/_alias/mc_search")
    # Servers refuse to delete by a pattern.
    stack.run("elasticsearch", *ask, "-X", "DELETE", f"localhost:9200/{','.join(aliases)}")
    stack.run("importer", "story-indexer", "elastic-conf", "configure")


def test_all_services_become_healthy(stack: Stack) -> None:
    stack.deploy()
    stack.wait()


def test_every_sample_story_is_indexed_and_archived(stack: Stack, stories: set[str]) -> None:
    until_all_arrived(stack, stories)


def ask_prometheus(stack: Stack, path: str, *options: str) -> Any:
    """What Prometheus answers."""
    url = f"localhost:9090/api/v1/{path}"
    [answer] = stack.rows("prometheus", "curl", "-sS", "--get", *options, url)
    assert answer["status"] == "success", (options, answer)
    return answer["data"]


def test_prometheus_knows_the_metrics_of_the_dashboards_and_its_rules_work(stack: Stack) -> None:
    for query in queries():
        ask_prometheus(stack, "query", "--data-urlencode", f"query={query}")
    flow = [query for panel in DASHBOARDS["pipeline"] for query, _ in panel.lines]

    def empty() -> list[str]:
        asked = (
            (q, ask_prometheus(stack, "query", "--data-urlencode", f"query={q}")) for q in flow
        )
        return [query for query, data in asked if not data["result"]]

    until(lambda: not empty(), "all graphs of the pipeline have values", lambda: str(empty()))
    groups = ask_prometheus(stack, "rules")["groups"]
    rules = [rule for group in groups for rule in group["rules"]]
    assert len(rules) > 10
    assert {
        rule["name"]: rule.get("lastError", "") for rule in rules if rule["health"] == "err"
    } == {}


def test_no_story_is_lost_when_the_broker_and_a_parser_are_killed(
    stack: Stack, stories: set[str]
) -> None:
    older = archived(stack)
    empty_index(stack)
    stack.scale("parser", 0)
    again = ["program", "workers.stories.rss_queuer", "--force", *stack.inputs("rss-queuer")]
    # Detached: docker waits for tasks that go on running, and this one ends.
    stack.update("rss-queuer", "--detach", f"--args={' '.join(again)}")
    until(lambda: waiting(stack).get("parser-in", 0) >= 20, "stories wait for the parser")
    stack.kill("rabbitmq")
    stack.wait("rabbitmq", "configure")
    stack.scale("parser", 1)
    stack.kill("parser")
    stack.scale("parser", 3)
    until_all_arrived(stack, stories, older)


def test_an_update_is_rolled_out_and_rolled_back(stack: Stack, images: Sequence[str]) -> None:
    present, following = images
    stack.update("parser", f"--image={following}", "--no-resolve-image")
    # An update is over when the new containers run: the old ones may still be ending.
    until(lambda: stack.image("parser") == {following}, "all parsers are of the update")
    stack.update("parser", "--rollback")
    until(lambda: stack.image("parser") == {present}, "all parsers are of the image before")


def test_two_flavors_run_side_by_side(stack: Stack, client: Client, tmp_path: Path) -> None:
    second = new_stack(client, "lists", tmp_path, "csv")
    second.deploy()
    second.wait()
    until_all_arrived(second, ids(second.inputs("csv-queuer")))
    stack.wait()
    second.remove()


def test_a_removed_stack_leaves_nothing(stack: Stack, client: Client) -> None:
    stack.remove()
    assert client.run("ps", "-aq") == client.run("volume", "ls", "-q") == ""
    assert client.run("secret", "ls", "-q") == client.run("service", "ls", "-q") == ""
