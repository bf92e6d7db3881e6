"""Programs: the sinks of metrics that their options name."""

import re
import socket
from typing import Any

import pytest
import requests

from indexer.errors import ConfigurationError
from indexer.programs.program import telemetry
from indexer.programs.settings import ProgramOptions
from tests.metrics.sinks import FILES
from tests.patience import PATIENCE


def test_without_options_nothing_listens_and_nothing_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level("INFO"), telemetry(ProgramOptions(), "toy"):
        FILES.add(status="success")
    assert caplog.text == ""


def test_the_same_counters_go_to_both_outputs(caplog: pytest.LogCaptureFixture) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        server.settimeout(30)
        options = ProgramOptions(
            metrics="127.0.0.1:0",
            statsd_url=f"statsd://127.0.0.1:{server.getsockname()[1]}",
            statsd_realm="dev",
        )
        with caplog.at_level("INFO"), telemetry(options, "toy"):
            FILES.add(3, status="success")
            found = re.search(r"http://\S+/metrics", caplog.text)
            assert found
            page = requests.get(found[0], timeout=PATIENCE).text
        assert server.recv(2000) == b"mc.dev.story-indexer.toy.test.files.status_success:3|c"
    assert 'story_indexer_test_files_total{program="toy",status="success"} 3.0' in page


@pytest.mark.parametrize(
    "options", [{"metrics": "nowhere"}, {"statsd_url": "http://h", "statsd_realm": "dev"}]
)
def test_what_can_not_work_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError), telemetry(ProgramOptions(**options), "toy"):
        pass


def test_the_variables_are_those_that_operators_have() -> None:
    found = ProgramOptions.of(
        {"METRICS_ADDRESS": ":9100", "STATSD_URL": "statsd://h", "STATSD_REALM": "prod"}
    )
    assert (found.metrics, found.statsd_url, found.statsd_realm) == (":9100", "statsd://h", "prod")
