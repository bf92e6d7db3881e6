"""Where the log of a real process goes."""

import socket
import subprocess
import sys

import pytest

from indexer.system.options import environment
from tests.loopback import LOOPBACKS
from tests.paths import ROOT
from tests.patience import PATIENCE

UNKNOWN = "x" * 70 + ".example"
"""Too long for a name: nobody has to be asked."""


def run(script: str) -> subprocess.CompletedProcess[str]:
    """What a program of its own writes."""
    return subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


@pytest.mark.parametrize(("family", "host"), LOOPBACKS)
def test_a_log_goes_to_standard_error_and_to_syslog(family: int, host: str) -> None:
    with socket.socket(family, socket.SOCK_DGRAM) as server:
        server.bind((host, 0))
        server.settimeout(PATIENCE)
        port = server.getsockname()[1]
        done = run(
            "import logging; from indexer.system import logs\n"
            f"logs.set_up('info', syslog=('{host}', {port}), app='toy')\n"
            "logging.getLogger('work').info('success: %s', 'a')"
        )
        assert server.recv(2000).endswith(b" toy INFO success: a")
    assert done.stderr.endswith(" | INFO | work | success: a\n")


def test_a_syslog_host_that_nobody_knows_costs_a_program_nothing() -> None:
    done = run(
        "import logging; from indexer.system import logs\n"
        f"logs.set_up('info', syslog=('{UNKNOWN}', 5140), app='toy')\n"
        "logging.getLogger('work').info('on')"
    )
    assert done.returncode == 0
    assert done.stderr.endswith(" | INFO | work | on\n")
    assert len(done.stderr.splitlines()) == 1
