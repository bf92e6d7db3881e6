"""The Prometheus sink and its web server."""

import threading
from collections.abc import Iterator

import pytest
import requests

from indexer.errors import ConfigurationError
from indexer.metrics import Counter, Gauge, Metric, Reading, Timer, attached
from indexer.metrics.endpoint import Endpoint
from indexer.metrics.prometheus import Prometheus, prometheus_name
from indexer.system.listening import ListenAddress
from tests.each_row import each_row
from tests.metrics.sinks import DAY, DEPTH, FETCH, FILES, LEVEL
from tests.patience import PATIENCE


@pytest.fixture
def sink() -> Iterator[Prometheus]:
    """An attached sink."""
    made = Prometheus("parser")
    with attached(made):
        yield made


@pytest.fixture
def url(sink: Prometheus) -> Iterator[str]:
    """The URL of the sink's web server."""
    with Endpoint(sink.page, ListenAddress("127.0.0.1", 0)) as endpoint:
        yield f"http://{endpoint.place}"


def value(sink: Prometheus, sample: str, /, **labels: str) -> float | None:
    """Return the value that Prometheus would read."""
    return sink.registry.get_sample_value(sample, {"program": "parser", **labels})


@each_row(
    ("name", "kind", "shown"),
    [
        ("stories", Counter, "story_indexer_stories_total"),
        ("sent-msgs", Counter, "story_indexer_sent_msgs_total"),
        ("queues.mem", Gauge, "story_indexer_queues_mem"),
        ("main_loop", Timer, "story_indexer_main_loop_seconds"),
        ("fetch-ts", Reading, "story_indexer_fetch_ts"),
    ],
)
def test_names_are_legal_and_end_in_their_unit(name: str, kind: type[Metric], shown: str) -> None:
    assert prometheus_name(kind(name, "", ())) == shown


def test_each_kind_is_shown_as_what_it_is(sink: Prometheus) -> None:
    FILES.add(status="success")
    FILES.add(2, status="success")
    DEPTH.set(7, name="parser-in")
    FETCH.observe(0.02)
    FETCH.observe(2)
    DAY.observe(20260115)
    time = "story_indexer_test_fetch_time_seconds"
    assert value(sink, "story_indexer_test_files_total", status="success") == 3
    assert value(sink, "story_indexer_test_depth", name="parser-in") == 7
    assert value(sink, f"{time}_bucket", le="0.025") == 1
    assert value(sink, f"{time}_count") == 2
    assert value(sink, f"{time}_sum") == 2.02
    assert value(sink, "story_indexer_test_day_sum") == 20260115


def test_a_forgotten_gauge_is_not_shown(sink: Prometheus) -> None:
    DEPTH.set(7, name="gone-in")
    DEPTH.forget(name="gone-in")
    DEPTH.forget(name="never-in")
    assert value(sink, "story_indexer_test_depth", name="gone-in") is None


def test_the_page_has_the_process_metrics(sink: Prometheus, url: str) -> None:
    LEVEL.set(4)
    answer = requests.get(f"{url}/metrics", timeout=PATIENCE)
    assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    assert 'story_indexer_test_level{program="parser"} 4.0' in answer.text
    assert "process_resident_memory_bytes" in answer.text
    assert "_created" not in answer.text


def test_openmetrics_is_served_if_the_client_accepts_it(sink: Prometheus, url: str) -> None:
    FILES.add(status="success")
    wanted = {"Accept": "application/openmetrics-text; version=1.0.0"}
    answer = requests.get(f"{url}/metrics", headers=wanted, timeout=PATIENCE)
    assert answer.headers["Content-Type"].startswith("application/openmetrics-text")
    assert answer.text.endswith("# EOF\n")


def test_a_label_with_a_lone_surrogate_does_not_break_the_page(sink: Prometheus, url: str) -> None:
    FILES.add(status='\ud800 "quoted"\nline')
    answer = requests.get(f"{url}/metrics", timeout=PATIENCE)
    assert answer.status_code == 200
    assert r'status="? \"quoted\"\nline"' in answer.text


def test_an_address_in_use_is_an_error_that_names_it(url: str) -> None:
    taken = url.removeprefix("http://")
    with (
        pytest.raises(ConfigurationError, match=f"can't listen at {taken}"),
        Prometheus.serving(taken, "parser"),
    ):
        pass


def test_threads_count_together(sink: Prometheus) -> None:
    metric = Counter("test.threads", "of a test", ("status",))

    def count() -> None:
        for _ in range(200):
            metric.add(status="x")

    threads = [threading.Thread(target=count) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert value(sink, "story_indexer_test_threads_total", status="x") == 1600
