"""A migration that is killed, and several processes that begin one at once."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from itertools import count
from pathlib import Path
from typing import Any

from indexer.search.sqlite import file
from tests.paths import ROOT
from tests.patience import PATIENCE
from tests.search.corpus import found, story
from tests.search.schemas import EXTENDED
from tests.search.sqlite.format_1 import make
from tests.search.sqlite.test_migration import dump, opened

STORIES = [story(f"{number}", f"Text {number} of a bridge") for number in range(8)]


def migrate_and_die(path: Path, statement: int) -> bool:
    """Migrate in a process that kills itself before a statement; whether it was killed."""
    child = os.fork()
    if not child:
        connect, counted = sqlite3.connect, count()

        def kill(_: str) -> None:
            if next(counted) == statement:
                os.kill(os.getpid(), signal.SIGKILL)

        def traced(*arguments: Any, **options: Any) -> sqlite3.Connection:
            connection: sqlite3.Connection = connect(*arguments, **options)
            connection.set_trace_callback(kill)
            return connection

        file.sqlite3.connect = traced  # type: ignore[attr-defined]  # only in the child
        try:
            opened(path, EXTENDED).get("x")
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


def test_a_migration_that_is_killed_at_any_statement_is_done_or_not_begun(tmp_path: Path) -> None:
    before, path = tmp_path / "before.sqlite3", tmp_path / "index.sqlite3"
    make(before, STORIES)
    shutil.copy(before, path)
    assert not migrate_and_die(path, -1)
    migrated = dump(path)
    killed = {}
    for statement in count():
        for each in tmp_path.glob("index*"):
            each.unlink()
        shutil.copy(before, path)
        if not migrate_and_die(path, statement):
            break
        killed[statement] = dump(path)
    assert len(killed) > 40
    states = [state == migrated for state in killed.values()]
    assert all(state == dump(before) or state == migrated for state in killed.values())
    assert states == sorted(states)
    assert found(opened(path, EXTENDED), "bridge") == found(opened(before, EXTENDED), "bridge")


def test_several_processes_that_begin_at_once_migrate_the_file_once(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite3"
    make(path, STORIES)
    script = f"""
import sys
from indexer.search import open_index
from tests.search.corpus import story
from tests.search.schemas import EXTENDED
index = open_index("sqlite:///{path}", EXTENDED)
print("ready", flush=True)
sys.stdin.readline()
answers = index.add([story(sys.argv[1], words=int(sys.argv[1]))])
print([answer.added.value for answer in answers], index.get("0") is not None)
"""
    running = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(100 + number)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for number in range(4)
    ]
    for each in running:
        assert each.stdout
        assert each.stdout.readline() == "ready\n"
    for each in running:
        assert each.stdin
        each.stdin.write("go\n")
        each.stdin.flush()
    printed = [each.communicate(timeout=PATIENCE)[0].splitlines() for each in running]
    assert [lines[-1] for lines in printed] == ["['created'] True"] * 4
    assert sum("index-migrated" in line for lines in printed for line in lines) == 1
    index = opened(path, EXTENDED)
    assert sorted(found(index, "words:[100 TO *]")) == ["100", "101", "102", "103"]
    assert len(found(index, "bridge")) == len(STORIES)
