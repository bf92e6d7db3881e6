"""syslog-sink and log, called in-process: their exit status and errors."""

import socket
from pathlib import Path

from tests.each_row import each_row
from tests.workers.in_process import Call


def test_a_port_in_use_is_status_2(call: Call, tmp_path: Path) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        port = str(taken.getsockname()[1])
        ended = call("syslog_sink", "--bind=127.0.0.1", LOG_DIR=str(tmp_path), SYSLOG_PORT=port)
    assert ended.status == 2
    assert f"can't listen at 127.0.0.1:{port}" in ended.err


def test_a_folder_that_can_not_be_written_is_status_1(call: Call, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    ended = call("syslog_sink", LOG_DIR=str(tmp_path / "file"), SYSLOG_PORT="0")
    assert (ended.status, "Traceback" in ended.err) == (1, False)


@each_row(
    ("arguments", "status", "says"),
    [
        (["hello"], 2, "SYSLOG_HOST"),
        (["--syslog-host=127.0.0.1", "-p", "loud", "hello"], 2, "no log level 'loud'"),
        (["--syslog-host=127.0.0.1", "--syslog-port=70000", "hello"], 2, "--syslog-port"),
        ([f"--syslog-host={'x' * 70}.example", "hello"], 1, "no such host"),
    ],
)
def test_log_reports_wrong_options(
    call: Call, arguments: list[str], status: int, says: str
) -> None:
    ended = call("log", *arguments)
    assert ended.status == status
    assert says in ended.err


@each_row("program", ["syslog_sink", "log"])
def test_help_has_an_example(call: Call, program: str) -> None:
    ended = call(program, "--help")
    assert ended.status == 0
    assert f"story-indexer program {program.replace('_', '-')} --" in ended.out
