"""Parsing messages of breadcrumbs."""

import json
from datetime import date

import msgspec
import pytest

from indexer.errors import DecodeError
from indexer.loops.breadcrumbs import crumb, message
from indexer.messages.message import UNKNOWN, known
from indexer.messages.outcome import Outcome, OutcomeKind
from indexer.pipeview.crumbs import MAX_BYTES, Crumbs
from tests.clock import START
from tests.each_row import each_row
from tests.pipeview.counted import a_crumb

NOON = START.timestamp()
HEADER = {"version": [1, 0, 0], "sent_at": 1768478400.5, "app": "parser"}
LINE = {
    "date": "2026-01-15",
    "feed_id": 7,
    "source_id": 1,
    "domain": "site.example",
    "app": "fetcher",
    "status": "success",
}


def load(*lines: object) -> Crumbs:
    """Parse a message of these lines; lines of bytes are used unchanged."""
    written = (line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines)
    return Crumbs.load(b"\n".join(written))


def test_sent_messages_can_be_parsed() -> None:
    crumbs = [a_crumb(), a_crumb(feed=None, source=None, domain=None)]
    read = Crumbs.load(Crumbs(app="fetcher", sent_at=1.5, crumbs=crumbs).dump())
    assert (read.app, read.sent_at, read.crumbs, read.bad) == ("fetcher", 1.5, crumbs, 0)
    assert not read.too_new


def test_a_message_of_the_specification_can_be_read() -> None:
    assert load(HEADER, LINE).crumbs == [a_crumb()]


def test_it_is_a_payload() -> None:
    read = load(HEADER, LINE)
    assert (read.key, read.label, read.origin) == ("default", "parser: 1 crumbs", UNKNOWN)
    assert Crumbs.load(read.dump()).crumbs == read.crumbs


def test_a_message_is_known_again_by_its_id() -> None:
    sent = Crumbs(app="fetcher", sent_at=1.5, crumbs=[a_crumb()])
    body, other = sent.dump(), sent.dump()
    assert Crumbs.load(body).id == Crumbs.load(body).id
    assert Crumbs.load(body).id != Crumbs.load(other).id


def test_keys_that_are_not_known_are_ignored() -> None:
    read = load({**HEADER, "shoe": "size"}, {**LINE, "colour": {"of": ["it"]}})
    assert (read.crumbs, read.bad) == ([a_crumb()], 0)


def test_the_crumbs_of_other_families_are_counted_without_the_facts_that_no_column_has() -> None:
    origin = known(feed_id=7, source_id=1, domain="site.example", harvest="a", seeds=12)
    sent = crumb("fetcher", Outcome("fetcher", OutcomeKind.DONE, "success", origin=origin), NOON)
    bare = crumb("fetcher", Outcome("fetcher", OutcomeKind.DONE, "success"), NOON)
    read = Crumbs.load(message("fetcher", NOON, [sent, bare]))
    assert (read.crumbs, read.bad) == ([a_crumb(), a_crumb(feed=None, source=None, domain=None)], 0)


class EarlierCrumb(msgspec.Struct):
    """A crumb as earlier versions read it."""

    date: date
    app: str
    status: str
    feed_id: int | None = None
    source_id: int | None = None
    domain: str | None = None


def test_earlier_versions_read_crumbs_of_this_one() -> None:
    origin = known(feed_id=7, harvest="a")
    sent = crumb("fetcher", Outcome("fetcher", OutcomeKind.DONE, "success", origin=origin), NOON)
    _, line = message("fetcher", NOON, [sent]).splitlines()
    read = msgspec.json.decode(line, type=EarlierCrumb)
    assert read == EarlierCrumb(date(2026, 1, 15), "fetcher", "success", 7)


def test_ids_and_domain_may_be_missing_or_null_as_in_crumbs_of_earlier_versions() -> None:
    bare = {name: LINE[name] for name in ("date", "app", "status")}
    null = {**bare, "feed_id": None, "source_id": None, "domain": None}
    none = a_crumb(feed=None, source=None, domain=None)
    assert load(HEADER, bare, null, {**bare, "domain": ""}).crumbs == [none, none, none]


@each_row(
    "line",
    [
        b"{",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"date": "2026-01-15", "app": "a", "status": "b", "x": ' + b"[" * 100_000,
        [],
        "text",
        {},
        {**LINE, "date": None},
        {**LINE, "date": "20260115"},
        {**LINE, "date": "2026-02-31"},
        {**LINE, "date": "2026-01-15T00:00:00Z"},
        {**LINE, "date": 1768478400},
        {**LINE, "feed_id": "7"},
        {**LINE, "feed_id": 7.5},
        {**LINE, "feed_id": True},
        {**LINE, "source_id": 2**63},
        {**LINE, "domain": 7},
        {**LINE, "domain": "\ud800"},
        {**LINE, "app": ""},
        {**LINE, "app": None},
        {**LINE, "status": "two words"},
        {**LINE, "status": "line\n"},
        {**LINE, "status": "nul\0"},
        {**LINE, "status": "x" * 101},
    ],
)
def test_a_bad_line_costs_only_itself(line: object) -> None:
    read = load(HEADER, LINE, line, LINE)
    assert (read.crumbs, read.bad) == ([a_crumb(), a_crumb()], 1)


def test_blank_lines_are_no_lines() -> None:
    read = load(HEADER, b"", LINE, b"  \r", b"")
    assert (read.crumbs, read.bad) == ([a_crumb()], 0)


def test_characters_that_a_table_can_not_store_are_removed_from_a_domain() -> None:
    (crumb,) = load(HEADER, {**LINE, "domain": "a\0b\n" + "x" * 1000}).crumbs
    assert crumb.domain == "ab " + "x" * 250


@each_row(
    ("version", "read_as"),
    [
        ([1, 0, 0], False),
        ([1, 9], False),
        ([0, 1, 0], False),
        ([2, 0, 0], True),
        ([2], True),
        ([99, "beta"], True),
    ],
)
def test_only_a_newer_major_version_is_too_new(version: list[object], read_as: bool) -> None:
    read = load({**HEADER, "version": version}, LINE)
    assert read.too_new is read_as
    assert len(read.crumbs) == (0 if read_as else 1)


@each_row("version", [None, "1.0.0", 1, [], ["1"], {}])
def test_an_invalid_version_is_none(version: object) -> None:
    read = load({**HEADER, "version": version}, LINE)
    assert (tuple(read.version), read.too_new) == ((), False)


@pytest.mark.parametrize("header", [{}, {"app": 1, "sent_at": "noon"}, {"app": "a\nb\0"}])
def test_any_header_can_be_shown(header: dict[str, object]) -> None:
    assert "\n" not in load(header, LINE).label


@pytest.mark.parametrize("moment", ["noon", None, 10**400])
def test_an_invalid_time_is_the_epoch(moment: object) -> None:
    assert load({**HEADER, "sent_at": moment}, LINE).sent_at == 0.0


@pytest.mark.parametrize("body", [b"", b"\n", b" \n \n"])
def test_a_message_may_be_empty(body: bytes) -> None:
    assert (Crumbs.load(body).crumbs, Crumbs.load(body).bad) == ((), 0)


@each_row(
    "body",
    [b"junk", b"\x80\x04\x95pickle", b"[1, 0, 0]\n{}", b"null", b'{"version": [1,0,0]', b"{}x\n{}"],
)
def test_other_data_is_refused(body: bytes) -> None:
    with pytest.raises(DecodeError, match="not crumbs"):
        Crumbs.load(body)


def test_a_message_that_is_too_large_is_refused() -> None:
    with pytest.raises(DecodeError, match="the limit is"):
        Crumbs.load(b"\n" * (MAX_BYTES + 1))
