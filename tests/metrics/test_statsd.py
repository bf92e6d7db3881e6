"""The statsd sink sends the names that dashboards read."""

import logging
import socket
from collections.abc import Callable
from contextlib import closing

import pytest

from indexer.errors import ConfigurationError
from indexer.metrics import Counter, attached
from indexer.metrics.statsd import PACKET_BYTES, TIMES_KEPT, Statsd, open_statsd, prefix_of
from indexer.system.listening import ListenAddress
from tests.each_row import each_row
from tests.loopback import LOOPBACKS
from tests.metrics.sinks import DAY, DEPTH, FETCH, FILES, LEVEL, PAIR, Wire
from tests.patience import PATIENCE


@pytest.fixture
def wire() -> Wire:
    return Wire()


def sent(wire: Wire, *happen: Callable[[], None]) -> list[str]:
    """Return the lines sent after an action, without the prefix."""
    statsd = Statsd(wire, prefix_of("hist-prod", "fetcher"))
    with attached(statsd):
        for each in happen:
            each()
    statsd.flush()
    return [line.removeprefix("mc.hist-prod.story-indexer.fetcher.") for line in wire.lines]


@pytest.mark.parametrize(
    ("happens", "line"),
    [
        (lambda: FILES.add(status="success"), "test.files.status_success:1|c"),
        (lambda: FILES.add(2.5, status="success"), "test.files.status_success:2.5|c"),
        (lambda: PAIR.add(b="2", a="1"), "test.pair.a_1.b_2:1|c"),
        (lambda: DEPTH.set(7, name="parser-in"), "test.depth.name_parser-in:7|g"),
        (lambda: LEVEL.set(1e21), "test.level:1000000000000000000000|g"),
        (lambda: FETCH.observe(0.0123456), "test.fetch-time:12.346|ms"),
        (lambda: FETCH.observe(90), "test.fetch-time:90000|ms"),
        (lambda: DAY.observe(20260115), "test.day:20260115|ms"),
    ],
)
def test_each_kind_is_a_line_of_its_own_form(
    wire: Wire, happens: Callable[[], None], line: str
) -> None:
    assert sent(wire, happens) == [line]


@pytest.mark.parametrize(
    ("value", "part"),
    [
        ("queue(s)-space-low", "queue(s)-space-low"),
        ("rabbit@host", "rabbit@host"),
        ("a.b:1|c", "a_b_1_c"),
        ("two words\nevil:9|g", "two_words_evil_9_g"),
        ("../../etc", "______etc"),
        ("Grüße\ud800\x00", "Gr__e__"),
        ("x" * 5000, "x" * 200),
    ],
)
def test_a_label_can_not_break_a_line_or_a_name(wire: Wire, value: str, part: str) -> None:
    assert sent(wire, lambda: FILES.add(status=value)) == [f"test.files.status_{part}:1|c"]


def test_a_realm_or_a_program_can_not_break_a_name(wire: Wire) -> None:
    statsd = Statsd(wire, prefix_of("a.b c", "p:q"))
    statsd.take(LEVEL, 1, ())
    statsd.flush()
    assert wire.lines == ["mc.a_b_c.story-indexer.p_q.test.level:1|g"]


@each_row(
    ("given", "prefix"),
    [
        ("mc.prod.rss-fetcher", "mc.prod.rss-fetcher"),
        ("rss-fetcher.", "rss-fetcher"),
        ("a b.c:1|c", "a_b.c_1_c"),
    ],
)
def test_a_prefix_replaces_realm_and_program(given: str, prefix: str) -> None:
    assert prefix_of("prod", "feed-fetcher", given) == prefix


def test_counts_are_added_up_and_gauges_are_as_they_were_last(wire: Wire) -> None:
    lines = sent(
        wire,
        lambda: FILES.add(status="success"),
        lambda: FILES.add(status="success"),
        lambda: DEPTH.set(7, name="x"),
        lambda: DEPTH.set(3, name="x"),
    )
    assert lines == ["test.files.status_success:2|c", "test.depth.name_x:3|g"]


def test_nothing_is_sent_twice(wire: Wire) -> None:
    statsd = Statsd(wire, prefix_of("dev", "x"))
    statsd.take(LEVEL, 1, ())
    statsd.flush()
    statsd.flush()
    assert len(wire.datagrams) == 1


def test_a_gauge_below_zero_is_set_and_not_lowered(wire: Wire) -> None:
    assert sent(wire, lambda: LEVEL.set(-5)) == ["test.level:0|g", "test.level:-5|g"]
    assert len(wire.datagrams) == 1


def test_a_forgotten_gauge_is_not_sent(wire: Wire) -> None:
    assert sent(wire, lambda: LEVEL.set(1), LEVEL.forget) == []


def test_many_numbers_travel_in_datagrams_of_one_piece(wire: Wire) -> None:
    sent(wire, *[lambda: FETCH.observe(0.1)] * 500)
    assert len(wire.lines) == 500
    assert len(wire.datagrams) < 50
    assert max(map(len, wire.datagrams)) <= PACKET_BYTES


def test_times_do_not_pile_up(wire: Wire) -> None:
    statsd = Statsd(wire, prefix_of("dev", "x"))
    for _ in range(TIMES_KEPT):
        statsd.take(FETCH, 0.1, ())
    assert len(wire.lines) == TIMES_KEPT


def test_closing_sends_the_last_numbers(wire: Wire) -> None:
    statsd = Statsd(wire, prefix_of("dev", "x"))
    statsd.start()
    statsd.take(LEVEL, 1, ())
    statsd.close()
    assert wire.lines == ["mc.dev.story-indexer.x.test.level:1|g"]
    assert wire.closed


@pytest.mark.parametrize(
    ("url", "realm"), [("statsd://127.0.0.1", ""), ("", "prod"), ("statsd://", "prod")]
)
def test_without_host_or_realm_there_is_no_sink_and_one_warning(
    url: str, realm: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        assert open_statsd(url, realm, "fetcher") is None
    assert [record.message for record in caplog.records] == [
        "no statsd: STATSD_URL must be set, and STATSD_REALM or STATSD_PREFIX"
    ]


@each_row(
    "url", ["http://127.0.0.1", "127.0.0.1:8125", "statsd://h:port", "statsd://h:0", "statsd://[::"]
)
def test_another_kind_of_url_is_refused(url: str) -> None:
    with pytest.raises(ConfigurationError, match="statsd://HOST:PORT"):
        open_statsd(url, "prod", "fetcher")


@pytest.mark.parametrize(("family", "host"), LOOPBACKS)
def test_numbers_arrive_by_udp(family: int, host: str) -> None:
    with socket.socket(family, socket.SOCK_DGRAM) as server:
        server.bind((host, 0))
        server.settimeout(PATIENCE)
        url = f"statsd://{ListenAddress(host, server.getsockname()[1])}"
        statsd = open_statsd(url, "dev", "fetcher")
        assert statsd is not None
        with closing(statsd), attached(statsd):
            Counter("test.sent", "of a test", ()).add()
        assert server.recv(2000) == b"mc.dev.story-indexer.fetcher.test.sent:1|c"
