"""`story-indexer run` again: what can't be run, what was done, what was interrupted."""

import io
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from indexer.news.normalized_urls import unique_url_hash
from newsroom.server import Newsroom
from tests.commands.sample import (
    EXPECTED,
    PLAIN,
    Backends,
    look,
    run,
    run_inputs,
    story_indexer,
)
from tests.patience import PATIENCE

REQUIRED = {
    "queued",
    "fetched",
    "indexed",
    "duplicates",
    "discarded",
    "quarantined",
    "warc_files",
    "index",
    "seconds",
}
"""What the summary in JSON has at least."""


@pytest.mark.parametrize(
    ("place", "says"),
    [
        (["--index", "http://127.0.0.1:1/x"], b"can't reach Elasticsearch"),
        (["--broker", "amqp://127.0.0.1:1/?connection_attempts=1"], b"127.0.0.1:1"),
    ],
)
def test_a_server_that_does_not_answer_is_told_before_anything_is_queued(
    place: list[str], says: bytes, tmp_path: Path
) -> None:
    pages = tmp_path / "pages.txt"
    pages.write_text(f"{PLAIN[0]}\n")
    ended = story_indexer("run", "--data", str(tmp_path / "data"), *place, str(pages))
    assert (ended.returncode, says in ended.stderr) == (1, True), ended.stderr.decode()
    assert not list((tmp_path / "data").glob("logs/*"))


def test_a_run_whose_program_fails_ends_with_its_summary_and_the_reason(tmp_path: Path) -> None:
    pages = tmp_path / "pages.txt"
    pages.write_text("http://127.0.0.1:1/\n")
    setting = "ARCHIVER_WORK_DIR=/dev/null/x"
    given = ["run", "--json", "--data", str(tmp_path / "data"), "--set", setting, str(pages)]
    ended = story_indexer(*given)
    why = "can't use /dev/null/x: Not a directory"
    assert ended.returncode == 1, ended.stderr.decode()
    assert json.loads(ended.stdout)["failed_programs"] == {"archiver": why}
    said = ended.stderr.decode().splitlines()
    assert f"archiver: {why}" in said
    assert f"archiver ended with status 2: {why}; its log is" in said[-1]


def test_a_file_may_say_where_the_broker_is(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("amqp://u:hunter2@127.0.0.1:1/?connection_attempts=1\n")
    pages = tmp_path / "pages.txt"
    pages.write_text(f"{PLAIN[0]}\n")
    given = ["run", "--data", str(tmp_path / "data"), str(pages)]
    ended = story_indexer(*given, variables={"BROKER_URL_FILE": str(secret)})
    assert ended.returncode == 1
    assert b"127.0.0.1:1" in ended.stderr
    assert b"hunter2" not in ended.stderr


def test_files_that_are_done_are_skipped_and_nothing_is_there_twice(tmp_path: Path) -> None:
    pages, data = tmp_path / "urls.csv", tmp_path / "data"
    arguments = [str(pages), "--type", "csv", "--replicas", "parser=2"]
    with Newsroom() as room:
        pages.write_text("url\n" + "".join(f"{url}\n" for url in PLAIN[:4]))
        first = run_inputs(room, data, *arguments)
        second = run_inputs(room, data, *arguments)
        with pages.open("a") as file:
            file.write(f"{PLAIN[4]}\n")
        third = run_inputs(room, data, *arguments)
    assert first.keys() >= REQUIRED
    counted = ("queued", "fetched", "indexed", "duplicates", "left")
    assert [first[name] for name in counted] == [4, 4, 4, 0, 0]
    assert [second[name] for name in counted] == [0, 0, 0, 0, 0]
    # A file that has changed is read again: what is in the index already is a duplicate.
    assert [third[name] for name in counted] == [5, 5, 1, 4, 0]
    for summary in (first, second, third):
        assert (summary["discarded"], summary["quarantined"], summary["unread"]) == ({}, {}, [])
    left = look(
        {"warc_files": [*first["warc_files"], *third["warc_files"]]},
        Backends.embedded(data),
        PLAIN,
    )
    assert second["warc_files"] == []
    assert left.documents.keys() == {unique_url_hash(url) for url in PLAIN[:5]}
    kinds = [r.rec_type for file in left.files for r in ArchiveIterator(io.BytesIO(file))]
    assert kinds.count("response") == 5


def test_ctrl_c_stops_cleanly_and_running_again_goes_on(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "indexer.commands.main", "run", "--json"]
    # Of each site one page is fetched, and the others wait: the run can't end before the signal.
    process = subprocess.Popen(
        [*command, "--data", str(tmp_path), "--interval", "600"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_for(tmp_path / "logs" / "fetcher.log", "success: ")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    first = json.loads(out)
    assert process.returncode == 130
    assert "stopping" in err
    assert first["left"] > 0
    backends = Backends.embedded(tmp_path)
    second = run(tmp_path, backends)
    assert second["carried_over"] == first["left"]
    # Links that were queued twice, because their file was not read to its end, are duplicates.
    assert first["indexed"] + second["indexed"] == len(EXPECTED.documents)
    assert second["left"] == 0
    assert len(look(second, backends).documents) == len(EXPECTED.documents)


def wait_for(path: Path, text: str) -> None:
    """Until a file has a text in it."""
    deadline = time.monotonic() + PATIENCE
    while not path.exists() or text not in path.read_text():
        assert time.monotonic() < deadline, f"{path} never said {text!r}"
        time.sleep(0.05)
