"""Fixtures for every test: a clock, real servers, and no way out to other machines."""

import gc
import logging
import resource
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from indexer.database import Database
from indexer.system import signals
from tests import isolation, services
from tests.clock import Clock
from tests.feeds.new_database import new_feeds
from tests.services import S3

LARGEST_FILE = 4 << 30
"""The size in bytes of the largest file that a test may write."""


@pytest.fixture
def clock() -> Clock:
    """A clock that only the test moves."""
    return Clock()


@pytest.fixture
def rabbitmq_url() -> Iterator[str]:
    """A virtual host of RabbitMQ, for this test alone."""
    services.require("rabbitmq")
    with services.virtual_host() as url:
        yield url


@pytest.fixture(params=["sqlite", pytest.param("rabbitmq", marks=pytest.mark.external)])
def broker_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A broker of each kind, for this test alone."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/queues.sqlite3"
    return str(request.getfixturevalue("rabbitmq_url"))


@pytest.fixture
def elasticsearch_url() -> str:
    """Elasticsearch, which other tests use too: name indices so that they can't meet."""
    services.require("elasticsearch")
    return services.variables()["TEST_ELASTICSEARCH_URL"]


@pytest.fixture
def postgresql_url() -> Iterator[str]:
    """A database of PostgreSQL, for this test alone."""
    services.require("postgresql")
    with services.database() as url:
        yield url


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.external)])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of each kind, for this test alone."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/new/database.sqlite3"
    return str(request.getfixturevalue("postgresql_url"))


@pytest.fixture
def feeds_db(database_url: str) -> Iterator[Database]:
    """A database of each kind with the tables of feeds, empty."""
    with closing(new_feeds(database_url)) as database:
        yield database


@pytest.fixture
def s3() -> Iterator[S3]:
    """An S3 server with an empty bucket that keeps versions, for this test alone."""
    services.require("s3")
    with services.bucket() as server:
        yield server


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A test that tries to reach another machine fails."""
    with isolation.loopback_only(monkeypatch) as tried:
        yield
    assert not tried, f"tried to reach {', '.join(tried)}"


@pytest.fixture(autouse=True)
def own_logs() -> Iterator[None]:
    """The logs that a program sets up end with its test."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


@pytest.fixture(autouse=True)
def own_signals() -> Iterator[None]:
    """The signal handlers that a test sets end with it."""
    before = {each: signal.getsignal(each) for each in signals.SIGNALS}
    yield
    for each, handler in before.items():
        signal.signal(each, handler)
    signals._stop = signals.Stop()


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--all`: also the slow tests, and those of real servers."""
    parser.addoption("--all", action="store_true", help="slow tests and real servers' tests, too")


def pytest_configure(config: pytest.Config) -> None:
    """Tests see the same environment on every machine; what fails is told at once."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(FailuresAtOnce(config))
    isolation.clean_environment()
    # A test that fills the disk would break the servers, and with them all other tests.
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE, hard))
    # Modules and tests live until the end: looking for garbage among them takes seconds.
    gc.disable()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Without `--all`, files of slow tests are not even imported, unless they are named.

    Tests of deployments, which need an engine of containers, are run only if they are named.
    """
    is_wanted = not is_slow(collection_path) or config.getoption("--all")
    if is_wanted and not is_deployment(collection_path):
        return None
    named = (argument.partition("::")[0] for argument in config.args)
    return collection_path not in (Path(each).absolute() for each in named)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the slow tests; they come first, so that no process is left alone with them in the end.

    Without `--all`, tests of real servers are left out.
    """
    for item in items:
        if is_slow(item.path):
            item.add_marker("slow")
    items.sort(key=lambda item: not is_slow(item.path))
    if not config.getoption("--all"):
        left_out = [item for item in items if item.get_closest_marker("external")]
        items[:] = [item for item in items if not item.get_closest_marker("external")]
        config.hook.pytest_deselected(items=left_out)


def is_slow(path: Path) -> bool:
    """Whether a file has slow tests: kills, faults, whole runs, large or hostile input."""
    return path.stem.endswith("_slow")


def is_deployment(path: Path) -> bool:
    """Whether a file has tests that need an engine of containers: `make test-deploy`."""
    return path.stem.endswith("_deploy")


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Bytes that are no text are no name for a test: they may hold a date, as gzip's do."""
    return argname if isinstance(val, bytes) and not val.isascii() else None


class FailuresAtOnce:
    """Prints each failure when it happens: a run that is ended early has told what it found."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Print where a test failed, after how many seconds, and why."""
        if not report.failed:
            return
        terminal = self.config.pluginmanager.getplugin("terminalreporter")
        terminal.ensure_newline()
        terminal.section(f"{report.nodeid}: {report.when}, {report.duration:.0f} s", "-")
        terminal.write_line(report.longreprtext)


def pytest_collection_finish() -> None:
    """Garbage is collected from here on, among what tests make."""
    gc.freeze()
    gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which services did not answer, and how to start them."""
    if silent := services.silent():
        terminalreporter.section("services")
        terminalreporter.write_line(f"did not answer: {', '.join(silent)}")
        terminalreporter.write_line("to test with them as well: make services")
