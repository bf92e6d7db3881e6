"""Programs: the sinks of metrics that their options name."""

import gc
import os
import re
import socket
import stat
from pathlib import Path
from typing import Any

import pytest
import requests

from indexer.errors import ConfigurationError
from indexer.programs.program import run_program, telemetry
from indexer.programs.settings import ProgramOptions
from indexer.system.permissions import STARTED_WITH
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
        server.settimeout(PATIENCE)
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


@pytest.mark.parametrize(("umask", "expected"), [("077", 0o077), ("027", 0o027)])
def test_files_that_a_program_makes_are_for_their_owner_unless_the_option_shares_them(
    umask: str, expected: int, tmp_path: Path
) -> None:
    before = os.umask(STARTED_WITH)
    arguments = ["--data", str(tmp_path / "data"), "--data-umask", umask]
    status = run_program("toy", ProgramOptions, make, arguments)
    assert (status, os.umask(before)) == (0, STARTED_WITH)
    folder = tmp_path / "data" / "toy"
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (folder, folder / "file")]
    lacking = expected | STARTED_WITH
    assert modes == [0o777 & ~lacking, 0o666 & ~lacking]


def make(options: ProgramOptions, name: str) -> None:
    (options.directory(name) / "file").touch()


def test_a_program_collects_garbage_as_usual_once_it_is_imported() -> None:
    before = gc.get_threshold()
    try:
        gc.set_threshold(100_000)
        with pytest.raises(SystemExit):
            run_program("toy", ProgramOptions, lambda options, name: None, ["--help"])
        assert gc.get_threshold() == (700, 10, 10)
    finally:
        gc.set_threshold(*before)


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
