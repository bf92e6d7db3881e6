"""Snapshots for servers without policies: taking, waiting, expiring."""

from datetime import UTC, datetime, timedelta

import pytest
from elasticsearch import ApiError, Elasticsearch

from indexer.search.elasticsearch.admin.snapshots import IndexSnapshot, Snapshots, expired, listed
from tests.each_row import each_row
from tests.patience import PATIENCE
from tests.search.stub import Reply, Stub, busy

NOW = datetime(2024, 5, 1, 1, 30, tzinfo=UTC)


def kept(states: str, most: int = 3) -> str:
    """Return the snapshots that are kept, oldest first: S succeeded, F failed, R is running."""
    names = {"S": "SUCCESS", "F": "FAILED", "P": "PARTIAL", "R": "IN_PROGRESS"}
    all_ = [IndexSnapshot(str(at), names[state], at) for at, state in enumerate(states)]
    gone = expired(reversed(all_), most)
    return "".join(state for at, state in enumerate(states) if str(at) not in gone)


@each_row(
    ("there", "left"),
    [
        ("", ""),
        ("S", "S"),
        ("SSS", "SSS"),
        ("SSSS", "SSS"),
        ("SSSSSSSS", "SSS"),
        ("FFFFFF", "FFFFFF"),
        ("SSFFFF", "SSFFFF"),
        ("FSPSS", "SPSS"),
        ("SSSSR", "SSSR"),
        ("SSFSSF", "SFSSF"),
    ],
)
def test_the_newest_successes_and_everything_newer_are_kept(there: str, left: str) -> None:
    assert kept(there) == left


def test_names_order_snapshots_of_one_millisecond() -> None:
    names = ["snapshot-2024.05.02", "snapshot-2024.05.01", "snapshot-2024.05.03"]
    assert expired([IndexSnapshot(name, "SUCCESS", 7) for name in names], most=2) == [names[1]]


def test_ten_are_kept() -> None:
    assert len(kept("S" * 25, most=10)) == 10
    assert len(expired([IndexSnapshot(str(at), "SUCCESS", at) for at in range(12)])) == 2


@pytest.fixture
def snapshots(server: Elasticsearch, alias: str, repository: str) -> Snapshots:
    """The snapshots of an alias, in an empty repository."""
    body = {"type": "fs", "settings": {"location": repository}}
    server.snapshot.create_repository(name=repository, repository=body)
    return Snapshots(server, alias, repository, Stub().patience())
    return Snapshots(server, alias, repository, Stub().patience())


def take(server: Elasticsearch, alias: str, repository: str, name: str) -> None:
    """Take a snapshot without our mark; other tests may delete their indices meanwhile."""
    server.snapshot.create(
        repository=repository, snapshot=name, indices=[f"{alias}-*"], wait_for_completion=True
    )


@pytest.mark.external
def test_a_snapshot_is_taken_of_all_indices_and_can_be_restored(
    snapshots: Snapshots, server: Elasticsearch, alias: str, repository: str
) -> None:
    server.index(index=f"{alias}-000001", id="a", document={"url": "x"})
    name = snapshots.start(NOW)
    assert name == "snapshot-2024.05.01-013000"
    assert snapshots.finished(name, PATIENCE).state == "SUCCESS"
    (found,) = server.snapshot.get(repository=repository, snapshot=name)["snapshots"]
    assert [index for index in found["indices"] if not index.startswith(".")] == [f"{alias}-000001"]
    assert found["include_global_state"] is True
    server.indices.delete(index=f"{alias}-000001")
    server.snapshot.restore(repository=repository, snapshot=name, wait_for_completion=True)
    assert server.get(index=f"{alias}-000001", id="a")["found"]


@pytest.mark.external
def test_the_oldest_are_deleted_and_snapshots_without_the_mark_are_kept(
    snapshots: Snapshots, server: Elasticsearch, alias: str, repository: str
) -> None:
    take(server, alias, repository, "mine")
    names = []
    for day in range(11):
        names.append(snapshots.start(NOW + timedelta(days=day)))
        snapshots.finished(names[-1], PATIENCE)
    assert snapshots.expire() == (names[:1], {})
    assert [one.name for one in listed(server, repository)] == ["mine", *names[1:]]
    assert snapshots.expire() == ([], {})


@pytest.mark.external
def test_the_newest_snapshots_can_be_listed(
    snapshots: Snapshots, server: Elasticsearch, alias: str, repository: str
) -> None:
    names = ["a", "b", "c"]
    for name in names:
        take(server, alias, repository, name)
    assert [one.name for one in listed(server, repository)] == names
    assert [one.name for one in listed(server, repository, 2)] == names[1:]


@pytest.mark.external
def test_an_alias_without_indices_does_not_fail(snapshots: Snapshots) -> None:
    assert snapshots.finished(snapshots.start(NOW), PATIENCE).state == "SUCCESS"


# What no real server can be made to answer.


def described(state: str, name: str = "s", **more: object) -> Reply:
    """Return the reply to a request for a snapshot."""
    return 200, {"snapshots": [{"snapshot": name, "state": state, **more}]}


def of(stub: Stub, waits: list[float]) -> Snapshots:
    """Return the snapshots of a stub."""
    return Snapshots(stub.client(), "mc_search", "backups", stub.patience(), waits.append)


def test_it_waits_until_a_snapshot_is_complete() -> None:
    waits: list[float] = []
    stub = Stub(*[described("IN_PROGRESS")] * 9, busy(503), described("SUCCESS"))
    assert of(stub, waits).finished("s", 3600).state == "SUCCESS"
    assert waits == [0.125, 0.25, 0.5, 1, 2, 4, 8, 8, 8]


def test_waiting_ends_at_the_limit() -> None:
    waits: list[float] = []
    stub = Stub(*[described("IN_PROGRESS")] * 5)
    assert of(stub, waits).finished("s", 1.0).state == "IN_PROGRESS"
    assert waits == [0.125, 0.25, 0.5, 0.125]


def test_a_partial_snapshot_has_a_reason() -> None:
    stub = Stub(described("PARTIAL", failures=[{"index": "x", "reason": "node left"}]))
    found = of(stub, []).finished("s", 0)
    assert (found.state, found.why) == ("PARTIAL", "node left")


def test_a_snapshot_that_can_not_be_deleted_is_reported() -> None:
    there = [
        {
            "snapshot": f"s{at}",
            "state": "SUCCESS",
            "start_time_in_millis": at,
            "metadata": {"policy": "bi_weekly_slm"},
        }
        for at in range(12)
    ]
    refusal: Reply = (403, {"error": {"type": "security_exception", "reason": "not yours"}})
    stub = Stub((200, {"snapshots": there}), refusal, (200, {}))
    assert of(stub, []).expire() == (["s1"], {"s0": "security_exception: not yours"})


def test_a_snapshot_is_asked_for_once_and_marked_as_the_policys() -> None:
    stub = Stub(busy(503))
    with pytest.raises(ApiError):
        of(stub, []).start(NOW)
    ((request, body),) = stub.requests
    assert request.startswith("PUT /_snapshot/backups/snapshot-2024.05.01-013000")
    assert b'"policy":"bi_weekly_slm"' in body
