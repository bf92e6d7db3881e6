"""`--help` of every program of the stories: what a person is told, and what never."""

import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

# What is expected in each: variables that set its options.
PROGRAMS = {
    "rss_queuer": ["RSS_DAILY_URL", "FETCHER_CONTACT_URL", "MAX_QUEUE_LEN"],
    "csv_queuer": ["SKIP_DOMAINS", "FETCHER_CONTACT_URL", "MAX_QUEUE_LEN"],
    "rss_puller": ["RSS_FETCHER_URL", "RSS_FETCHER_BATCH_SIZE", "MAX_QUEUE_LEN"],
    "hist_queuer": ["HIST_ALLOW_NO_URL", "SKIP_DOMAINS", "MAX_QUEUE_LEN"],
    "hist_fetcher": ["HIST_DOWNLOADS_URL", "MAX_HTML_BYTES", "MAX_RETRIES"],
    "arch_queuer": ["SKIP_DOMAINS", "MAX_QUEUE_LEN"],
    "tqfetcher": ["FETCHER_CONTACT_URL", "FETCHER_MIN_INTERVAL_SECONDS", "MAX_RETRIES"],
    "parser": ["SKIP_DOMAINS", "WORKER_THREADS", "MAX_RETRIES"],
    "importer": ["INDEX_URL", "BATCH_SIZE", "MAX_RETRIES"],
    "archiver": ["ARCHIVE_URL", "ARCHIVER_PREFIX", "BATCH_SIZE"],
}

SECRET = "hunter2"
SECRETS = {
    "BROKER_URL": f"amqp://u:{SECRET}@h/",
    "INDEX_URL": f"http://u:{SECRET}@h:9200/",
    "ARCHIVER_S3_SECRET_ACCESS_KEY": SECRET,
    "RSS_FETCHER_PASS": SECRET,
    "RSS_S3_SECRET_ACCESS_KEY": SECRET,
    "CSV_S3_SECRET_ACCESS_KEY": SECRET,
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_help_says_what_a_program_does_with_an_example_and_no_secret(program: str) -> None:
    name = f"workers.stories.{program}"
    ended = subprocess.run(
        [sys.executable, "-m", name, "--help"],
        env={**os.environ, **SECRETS},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    about = (import_module(name).__doc__ or "").strip()
    usage, _, options = ended.stdout.partition("\noptions:\n")
    assert about.splitlines()[0] in usage.splitlines()
    assert re.search(rf"^(?: +|Example: )python -m {name}\b", usage, re.MULTILINE)
    words = {word.strip("[],;") for word in options.split()}
    assert words.issuperset([*PROGRAMS[program], "BROKER_URL", "DATAROOT", "LOG_LEVEL"])
    assert SECRET not in ended.stdout
    assert "Traceback" not in ended.stdout


def test_the_programs_are_those_that_there_are() -> None:
    folder = Path(import_module("workers.stories").__file__ or "").parent
    assert {path.stem for path in folder.glob("*.py")} - {"__init__"} == PROGRAMS.keys()
