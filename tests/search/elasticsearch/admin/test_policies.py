"""Policies of Elasticsearch: the bodies of stories.md 8, and comparing them."""

from typing import Any

import pytest

from indexer.errors import ConfigurationError
from indexer.search.elasticsearch.admin.policies import (
    is_lifecycle,
    lifecycle,
    lifecycle_name,
    rollover_conditions,
    size_in_bytes,
    snapshots,
    snapshots_name,
)
from tests.each_row import each_row


def test_an_index_rolls_over_by_documents_or_size_and_nothing_is_deleted() -> None:
    assert lifecycle(rollover_conditions(200_000_000, "50GB")) == {
        "phases": {
            "hot": {
                "actions": {"rollover": {"max_docs": 200_000_000, "max_primary_shard_size": "50gb"}}
            }
        }
    }
    assert rollover_conditions(5, "") == {"max_docs": 5}


def test_snapshots_are_taken_twice_a_month() -> None:
    assert snapshots("mc_search", "backups") == {
        "schedule": "0 30 1 1,15 * ?",
        "name": "<snapshot-{now/d}>",
        "repository": "backups",
        "config": {
            "indices": ["mc_search-*"],
            "ignore_unavailable": True,
            "include_global_state": True,
        },
        "retention": {"min_count": 5, "max_count": 10},
    }


@pytest.mark.parametrize(
    ("alias", "names"),
    [
        ("mc_search", ("mediacloud-lifecycle-policy", "bi_weekly_slm")),
        ("news", ("news-lifecycle-policy", "news-bi_weekly_slm")),
    ],
)
def test_names_follow_from_the_alias(alias: str, names: tuple[str, str]) -> None:
    assert (lifecycle_name(alias), snapshots_name(alias)) == names


def policy(rollover: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a policy in the form of a server's answer."""
    return {"phases": {"hot": {"min_age": "0ms", "actions": {"rollover": rollover}}, **more}}


@pytest.mark.parametrize(
    ("there", "same"),
    [
        (policy({"max_docs": 9, "max_primary_shard_size": "50gb"}), True),
        (policy({"max_docs": 9, "max_primary_shard_size": "51200mb", "min_docs": 1}), True),
        (policy({"max_docs": 8, "max_primary_shard_size": "50gb"}), False),
        (policy({"max_docs": 9, "max_primary_shard_size": "5gb"}), False),
        (policy({"max_docs": 9}), False),
        (policy({"max_docs": 9, "max_primary_shard_size": "50gb", "max_age": "1d"}), False),
        (policy({"max_docs": 9, "max_primary_shard_size": "50gb"}, delete={"actions": {}}), False),
        ({"phases": {"hot": {"actions": {}}}}, False),
        ({}, False),
    ],
    ids=["same", "other words", "docs", "size", "less", "more", "deletes", "empty", "nothing"],
)
def test_a_policy_is_the_same_if_it_does_the_same(there: dict[str, Any], same: bool) -> None:
    wanted = lifecycle(rollover_conditions(9, "50gb"))
    assert is_lifecycle(there, wanted) is same


@each_row(
    ("texts", "bytes_"),
    [
        (["1b", "1B"], 1),
        (["2k", "2K", "2kb", "2KB"], 2048),
        (["100m", "100M", "100mb"], 100 * 1024**2),
        (["50g", "50G", "50gb", "50Gb"], 50 * 1024**3),
        (["3t", "3TB"], 3 * 1024**4),
        (["1p", "1pb"], 1024**5),
    ],
)
def test_sizes_are_those_of_elasticsearch(texts: list[str], bytes_: int) -> None:
    assert {size_in_bytes(text) for text in texts} == {bytes_}


@each_row(
    "text", ["", "50", "gb", "0gb", "-1gb", "1.5gb", "50 gb!", "٥gb", "9" * 99, "1bb", "1kbb", "1x"]
)
def test_an_invalid_size_is_an_error(text: str) -> None:
    with pytest.raises(ConfigurationError, match="50gb"):
        size_in_bytes(text)
