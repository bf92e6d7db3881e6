"""`--help` of every program: what a person is told, and what never."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from indexer.commands.programs.catalog import modules

# What is expected in each: variables that set its options.
PROGRAMS = {
    "stories.rss_queuer": ["RSS_DAILY_URL", "FETCHER_CONTACT_URL", "MAX_QUEUE_LEN"],
    "stories.csv_queuer": ["SKIP_DOMAINS", "FETCHER_CONTACT_URL", "MAX_QUEUE_LEN"],
    "stories.rss_puller": ["RSS_FETCHER_URL", "RSS_FETCHER_BATCH_SIZE", "MAX_QUEUE_LEN"],
    "stories.hist_queuer": ["HIST_ALLOW_NO_URL", "SKIP_DOMAINS", "MAX_QUEUE_LEN"],
    "stories.hist_fetcher": ["HIST_DOWNLOADS_URL", "MAX_HTML_BYTES", "MAX_RETRIES"],
    "stories.arch_queuer": ["SKIP_DOMAINS", "MAX_QUEUE_LEN"],
    "stories.tqfetcher": ["FETCHER_CONTACT_URL", "FETCHER_MIN_INTERVAL_SECONDS", "MAX_RETRIES"],
    "stories.parser": ["SKIP_DOMAINS", "WORKER_THREADS", "MAX_RETRIES"],
    "stories.importer": ["INDEX_URL", "BATCH_SIZE", "MAX_RETRIES"],
    "stories.archiver": ["ARCHIVE_URL", "ARCHIVER_PREFIX", "BATCH_SIZE"],
    "feeds.feed_scheduler": ["FEEDS_DATABASE_URL", "RSS_FETCH_READY_LIMIT", "FEEDS_LEASE_SECONDS"],
    "feeds.feed_fetcher": ["FEEDS_DATABASE_URL", "RSS_FETCH_WORKERS", "RSS_FETCH_TIMEOUT_SECS"],
    "feeds.feed_parser": ["MAX_STORIES_PER_FEED", "SAVE_PARSE_ERRORS"],
    "feeds.story_saver": ["FEEDS_DATABASE_URL", "DEFAULT_INTERVAL_MINS", "UNDEAD_FEEDS"],
    "feeds.feed_stats": ["FEEDS_DATABASE_URL", "METRICS_ADDRESS", "STATSD_URL"],
    "software.origin_queuer": ["MAX_QUEUE_LEN", "SOFTWARE_ARCHIVE"],
    "software.origin_indexer": ["SOFTWARE_DATABASE_URL", "SOFTWARE_MAX_CLONE_BYTES"],
    "software.software_importer": ["SOFTWARE_INDEX_URL", "SOFTWARE_DATABASE_URL"],
    "software.api": ["SOFTWARE_DATABASE_URL", "SOFTWARE_INDEX_URL", "SOFTWARE_API_PORT"],
    "feeds.api": ["DATABASE_URL", "RSS_FETCHER_WRITE_USER", "PORT"],
    "filesets.fileset_queuer": ["MAX_QUEUE_LEN", "FETCHER_CONTACT_URL"],
    "filesets.fileset_ingester": ["FILESETS_URL", "JOBS_DATABASE_URL", "ZENODO_URL"],
    "filesets.fileset_results": ["MAX_RETRIES"],
    "filesets.fileset_persister": ["FILESETS_DATABASE_URL", "BATCH_SIZE"],
    "filesets.dataset_indexer": ["INDEX_URL", "BATCH_SIZE"],
    "filesets.fileset_importer": ["FILESETS_ITEMS_URL", "DATAROOT"],
    "filesets.file_importer": ["FILESETS_REPLAY_URL", "DATAROOT"],
    "pipeview.pipeview": ["DATABASE_URL", "PIPEVIEW_DAYS", "BATCH_SIZE"],
    "pipeview.api": ["DATABASE_URL", "PIPEVIEW_API_PORT", "PIPEVIEW_API_TOKEN"],
    "pipeview.pruner": ["DATABASE_URL", "PIPEVIEW_DAYS"],
    "operations.rabbitmq_stats": ["BROKER_URL", "METRICS_ADDRESS", "STATSD_URL"],
    "operations.elastic_stats": ["INDEX_URL", "METRICS_ADDRESS", "STATSD_URL"],
    "operations.docker_stats": ["METRICS_ADDRESS", "STATSD_URL"],
    "operations.syslog_sink": ["LOG_DIR", "SYSLOG_PORT"],
    "operations.log": ["SYSLOG_HOST", "SYSLOG_PORT"],
}

SECRET = "hunter2"
SECRETS = {
    "BROKER_URL": f"amqp://u:{SECRET}@h/",
    "INDEX_URL": f"http://u:{SECRET}@h:9200/",
    "ARCHIVER_S3_SECRET_ACCESS_KEY": SECRET,
    "RSS_FETCHER_PASS": SECRET,
    "RSS_FETCHER_WRITE_PASS": SECRET,
    "DATABASE_URL": f"postgresql://u:{SECRET}@h/x",
    "PIPEVIEW_API_TOKEN": SECRET,
    "RSS_S3_SECRET_ACCESS_KEY": SECRET,
    "CSV_S3_SECRET_ACCESS_KEY": SECRET,
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_help_says_what_a_program_does_with_an_example_and_no_secret(
    program: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name = f"workers.{program}"
    module = import_module(name)
    for variable, value in SECRETS.items():
        monkeypatch.setenv(variable, value)
    with pytest.raises(SystemExit) as ended:
        module.main(["--help"])
    shown, errors = capsys.readouterr()
    assert (ended.value.code, errors) == (0, "")
    about = (module.__doc__ or "").strip()
    (short,) = [short for short, each in modules().items() if each == name]
    usage, _, options = shown.partition("\noptions:\n")
    assert about.splitlines()[0] in usage.splitlines()
    assert re.search(rf"^(?: +|Examples?: )story-indexer program {short}\b", usage, re.MULTILINE)
    words = {word.strip("[],;") for word in options.split()}
    assert words.issuperset([*PROGRAMS[program], "DATAROOT", "LOG_LEVEL"])
    assert SECRET not in shown


def test_the_programs_are_those_that_there_are() -> None:
    folder = Path(import_module("workers").__file__ or "").parent
    found = {f"{path.parent.name}.{path.stem}" for path in folder.glob("*/*.py")}
    assert {name for name in found if not name.endswith(".__init__")} == PROGRAMS.keys()
