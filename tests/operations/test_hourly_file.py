"""A log file that is rotated each hour."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from indexer.operations.hourly_file import HourlyFile
from tests.clock import START, Clock
from tests.paths import ROOT
from tests.patience import PATIENCE


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_lines_are_in_the_file_at_once(tmp_path: Path, clock: Clock) -> None:
    file = HourlyFile(tmp_path / "made" / "logs", clock.time)
    file.write("Grüße \ud800")
    path = tmp_path / "made" / "logs" / "messages.log"
    assert path.read_text() == "Grüße ?\n"
    file.close()


def test_a_past_hour_has_a_file_of_its_own_named_in_utc(tmp_path: Path, clock: Clock) -> None:
    file = HourlyFile(tmp_path, clock.time)
    file.write("twelve")
    clock.sleep(3599)
    file.write("twelve too")
    clock.sleep(1)
    file.write("one")
    file.close()
    assert names(tmp_path) == ["messages.log", "messages.log.2026-01-15_12"]
    assert (tmp_path / "messages.log.2026-01-15_12").read_text() == "twelve\ntwelve too\n"
    assert (tmp_path / "messages.log").read_text() == "one\n"


def test_a_restarted_program_continues_the_file_of_the_same_hour(
    tmp_path: Path, clock: Clock
) -> None:
    path = tmp_path / "messages.log"
    path.write_text("before\n")
    os.utime(path, (clock.time(), clock.time()))
    file = HourlyFile(tmp_path, clock.time)
    file.write("after")
    file.close()
    assert path.read_text() == "before\nafter\n"


def test_a_file_of_an_earlier_hour_is_rotated_under_that_hour(tmp_path: Path, clock: Clock) -> None:
    path = tmp_path / "messages.log"
    path.write_text("yesterday\n")
    yesterday = START.timestamp() - 86_400
    os.utime(path, (yesterday, yesterday))
    file = HourlyFile(tmp_path, clock.time)
    file.write("today")
    file.close()
    assert (tmp_path / "messages.log.2026-01-14_12").read_text() == "yesterday\n"


def test_a_clock_that_is_set_back_loses_no_line(tmp_path: Path, clock: Clock) -> None:
    file = HourlyFile(tmp_path, clock.time)
    for step in (0, 3600, -3600, 3600, 3600):
        clock.sleep(step)
        file.write("x")
    file.close()
    lines = [path.read_text().count("x") for path in tmp_path.iterdir()]
    assert sum(lines) == 5


def test_a_file_of_that_name_is_not_overwritten(tmp_path: Path, clock: Clock) -> None:
    (tmp_path / "messages.log.2026-01-15_12").write_text("somebody's\n")
    file = HourlyFile(tmp_path, clock.time)
    file.write("mine")
    clock.sleep(3600)
    file.write("next")
    file.close()
    assert (tmp_path / "messages.log.2026-01-15_12").read_text() == "somebody's\n"
    assert (tmp_path / "messages.log.2026-01-15_12.1").read_text() == "mine\n"


def test_a_line_that_is_only_half_written_is_an_error(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", HALF, str(tmp_path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    assert done.stdout == f"{errno.EFBIG}\n"


HALF = """
import resource, signal, sys
from pathlib import Path
from indexer.operations.hourly_file import HourlyFile

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (15, resource.RLIM_INFINITY))
file = HourlyFile(Path(sys.argv[1]))
file.write("0123456789")
try:
    file.write("0123456789")
except OSError as error:
    print(error.errno)
"""
"""Writes more than a file may hold: the second line goes in by a half."""


def test_a_folder_that_is_a_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "logs").touch()
    with pytest.raises(OSError, match="logs"):
        HourlyFile(tmp_path / "logs")
