"""The variables of feeds.md 4: their names, their defaults, and values that are refused."""

import pytest

from indexer.errors import ConfigurationError
from indexer.feeds.registry.directory import DirectoryOptions
from indexer.feeds.saving.retention import RetentionOptions
from indexer.feeds.tools.daily import DailyOptions
from indexer.system.options import Options
from tests.each_row import each_row
from tests.paths import ROOT
from workers.feeds.api import FeedsServerOptions
from workers.feeds.feed_fetcher import FeedFetcherOptions
from workers.feeds.feed_parser import FeedParserOptions
from workers.feeds.feed_scheduler import SchedulerOptions
from workers.feeds.story_saver import SaverOptions

API, DAILY, PRUNE, SYNC = FeedsServerOptions, DailyOptions, RetentionOptions, DirectoryOptions
SCHEDULER, FETCHER = SchedulerOptions, FeedFetcherOptions
PARSER, SAVER = FeedParserOptions, SaverOptions

NUMBERS: list[tuple[str, type[Options], str, float]] = [
    ("DEFAULT_INTERVAL_MINS", SAVER, "default_interval_mins", 360),
    # The default 360 was never applied (feeds.md 4); 10 is the least allowed (5.4).
    ("MINIMUM_INTERVAL_MINS", SAVER, "minimum_interval_mins", 10),
    ("MAXIMUM_INTERVAL_MINS", SAVER, "maximum_interval_mins", 1440),
    ("MAXIMUM_BACKOFF_MINS", SAVER, "maximum_backoff_mins", 1440),
    ("MAX_FAILURES", SAVER, "max_failures", 30),
    ("UNDEAD_FEED_MAX_DAYS", SAVER, "undead_feed_max_days", 30),
    ("AUTO_ADJUST_MIN_POLL_MINUTES", SAVER, "adjust_min_poll_minutes", 10),
    ("AUTO_ADJUST_MAX_POLL_MINUTES", SAVER, "adjust_max_poll_minutes", 1440),
    ("NORMALIZED_TITLE_DAYS", SAVER, "normalized_title_days", 7),
    ("NORMALIZED_TITLE_DAYS", PRUNE, "normalized_title_days", 7),
    ("FETCH_EVENT_ROWS", PRUNE, "fetch_event_rows", 30),
    ("RSS_OUTPUT_DAYS", PRUNE, "rss_output_days", 14),
    ("RSS_OUTPUT_DAYS", DAILY, "rss_output_days", 14),
    ("TOP_SOURCE_DAYS", API, "top_source_days", 3),
    ("PORT", API, "api_port", 8000),
    ("RSS_FETCH_FEED_SECS", FETCHER, "feed_secs", 5),
    ("RSS_FETCH_FEED_SECS", SCHEDULER, "feed_secs", 5),
    ("RSS_FETCH_FEED_CONCURRENCY", SCHEDULER, "feed_concurrency", 2),
    ("RSS_FETCH_READY_LIMIT", SCHEDULER, "ready_limit", 2000),
    ("RSS_FETCH_TIMEOUT_SECS", FETCHER, "connect_timeout", 30),
    ("RSS_FETCH_TIMEOUT_SECS", FETCHER, "read_timeout", 30),
    ("TASK_TIMEOUT_SECONDS", FETCHER, "total_timeout", 180),
    ("MAX_STORIES_PER_FEED", PARSER, "max_stories_per_feed", 2000),
    ("MAX_URL", PARSER, "max_url", 2048),
    ("MCWEB_TIMEOUT", SYNC, "mcweb_timeout", 60),
]

SWITCHES: list[tuple[str, type[Options], str, bool]] = [
    ("UNDEAD_FEEDS", SAVER, "undead_feeds", True),
    ("SKIP_HOME_PAGES", PARSER, "skip_home_pages", False),
    ("HTTP_CONDITIONAL_FETCH", FETCHER, "http_conditional_fetch", True),
    ("VERIFY_CERTIFICATES", FETCHER, "verify_certificates", True),
    ("SAVE_RSS_FILES", PARSER, "save_rss_files", False),
    ("SAVE_PARSE_ERRORS", PARSER, "save_parse_errors", False),
]


@each_row(("variable", "options", "name", "default"), NUMBERS)
def test_a_number_has_its_variable_and_its_default(
    variable: str, options: type[Options], name: str, default: float
) -> None:
    assert options.of({}).values()[name] == default
    assert options.of({variable: "11"}).values()[name] == 11


@each_row(("variable", "options", "name", "default"), SWITCHES)
def test_a_switch_has_its_variable_and_its_default(
    variable: str, options: type[Options], name: str, default: bool
) -> None:
    assert options.of({}).values()[name] is default
    assert options.of({variable: "0"}).values()[name] is False
    assert options.of({variable: "true"}).values()[name] is True


@each_row(("variable", "options"), [each[:2] for each in [*NUMBERS, *SWITCHES]])
def test_what_is_no_number_is_refused_not_replaced(variable: str, options: type[Options]) -> None:
    with pytest.raises(ConfigurationError):
        options.of({variable: "many"})


def test_the_threads_of_a_fetcher_are_the_workers_of_old() -> None:
    assert FETCHER.of({"RSS_FETCH_WORKERS": "32"}).threads == 32
    with pytest.raises(ConfigurationError):
        FETCHER.of({"RSS_FETCH_WORKERS": "many"})


@each_row("options", [SCHEDULER, FETCHER, SAVER, API, PRUNE])
def test_all_find_the_database_by_its_variable(options: type[Options]) -> None:
    given = options.of({"DATABASE_URL": "postgresql://feeds@db.example/feeds"})
    assert getattr(given, "database", "") == "postgresql://feeds@db.example/feeds"


# Variables of feeds.md 4 that are not read.
GONE = """
    AUTO_ADJUST_MIN_DUPLICATE_PERCENT AUTO_ADJUST_MAX_DUPLICATE_PERCENT AUTO_ADJUST_MINUTES
    AUTO_ADJUST_SMALL_MINS AUTO_ADJUST_SMALL_DAYS AUTO_ADJUST_MAX_DELTA_MIN FAST_POLL_MINUTES
    SAVE_STORY_MS SAVE_STORY_MIN_SEC SAVE_STORY_MAX_SEC DB_POOL_SIZE STATSD_PREFIX
    SENTRY_DSN SENTRY_ENV TZ
""".split()  # noqa: SIM905 - words are easier to read


DOCUMENTS = ("operations/feeds.md", "feeds/scheduling.md")


@each_row("variable", GONE)
def test_a_variable_that_is_not_read_is_listed_once(variable: str) -> None:
    docs = ROOT / "docs"
    texts = [(docs / name).read_text(encoding="utf-8") for name in DOCUMENTS]
    assert sum(text.count(f"`{variable}`") for text in texts) == 1
