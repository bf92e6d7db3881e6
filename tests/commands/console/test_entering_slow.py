"""Commands end with one line and the right status, whatever happens to them."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from indexer.system.options import environment
from tests.each_row import each_row
from tests.patience import PATIENCE

COMMAND = [sys.executable, "-P", "-m", "indexer.commands.main"]

INTERRUPTED_AT = """
import os, signal, sys
from importlib.abc import MetaPathFinder

PLACE = sys.argv[1]
# What starts the tests may ignore Ctrl-C, as a shell does for programs in the background.
signal.signal(signal.SIGINT, signal.default_int_handler)

class Finder(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == PLACE:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Finder())
from indexer.commands.main import main
sys.argv = ["story-indexer", "search"]
main()
"""


def run(*command: str, output: Path | None = None) -> "subprocess.CompletedProcess[str]":
    with (output or Path("/dev/null")).open("wb") as file:
        return subprocess.run(
            command,
            env={**environment()},
            stdout=file,
            stderr=subprocess.PIPE,
            text=True,
            timeout=PATIENCE,
            check=False,
        )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has it")
@each_row("arguments", [["--help"], ["program"], ["settings", "parser"], ["qutil", "--help"]])
def test_output_that_cannot_be_written_is_one_line_and_status_1(arguments: list[str]) -> None:
    ended = run(*COMMAND, *arguments, output=Path("/dev/full"))
    assert ended.stderr == "story-indexer: No space left on device\n"
    assert ended.returncode == 1


@each_row(
    ("module", "status"),
    [
        ("indexer.commands.tree", {-signal.SIGINT, 130}),
        ("indexer.commands.search", {130}),
        ("indexer.search", {130}),
    ],
)
def test_ctrl_c_during_the_start_ends_quietly(module: str, status: set[int]) -> None:
    ended = run(sys.executable, "-P", "-c", INTERRUPTED_AT, module)
    assert (ended.returncode in status, ended.stderr.strip()) == (True, "")


def test_a_reader_that_goes_away_ends_a_command_quietly() -> None:
    # Long enough to fill the pipe, so that writing fails.
    with subprocess.Popen(
        [*COMMAND, "settings", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0
