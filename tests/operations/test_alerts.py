"""operations/alerts.yml uses only metrics that exist."""

import re
from typing import Any

import pytest
import yaml

from tests.each_row import each_row
from tests.metrics.documentation import written
from tests.paths import ROOT

RULES: list[dict[str, Any]] = [
    rule
    for group in yaml.safe_load((ROOT / "operations" / "alerts.yml").read_text())["groups"]
    for rule in group["rules"]
]
SHOWN = set(re.findall(r"`(story_indexer_\w+)`", written()))
OTHERS = {"rss_fetcher_stories_max_id"}
"""What other systems measure."""

PAGE = (ROOT / "docs" / "operations" / "alerts.md").read_text(encoding="utf-8")

# stories.md 11.2: what each condition compares with, and for how long.
CONDITIONS = {
    "FewStoriesCreated": ("< 5000", "3h"),
    "ManyMessagesWait": ("> 175000", "30m"),
    "ImporterBehind": ("> 50000", "15m"),
    "ManyMessagesInQuarantine": ("> 100000", None),
    "FeedFetcherFarAhead": ("> 100000", "15m"),
    "IndexNotGreen": ("> 0", "5m"),
    "ClusterTasksPending": ("> 0", "30m"),
    "SnapshotFailed": ("== 0", None),
    "SnapshotOld": ("> 17 * 86400 * 1000", None),
    "ElasticsearchLoad": ("> 15", "1h"),
    "SearchSlow": ("> 10000", None),
}


@pytest.mark.parametrize("rule", RULES, ids=[rule["alert"] for rule in RULES])
def test_every_number_in_a_rule_is_measured(rule: dict[str, Any]) -> None:
    used = set(re.findall(r"\b(?:story_indexer|rss_fetcher)_\w+", rule["expr"]))
    assert used
    assert {name.removesuffix("_bucket") for name in used} <= SHOWN | OTHERS
    assert rule["expr"].count("(") == rule["expr"].count(")")


@each_row(("alert", "condition"), CONDITIONS.items())
def test_the_rules_are_those_of_production(alert: str, condition: tuple[str, str | None]) -> None:
    rule = next(each for each in RULES if each["alert"] == alert)
    assert rule["expr"].endswith(condition[0])
    assert rule.get("for") == condition[1]


@pytest.mark.parametrize("rule", RULES, ids=[rule["alert"] for rule in RULES])
def test_every_rule_is_on_the_page_of_alerts(rule: dict[str, Any]) -> None:
    assert f"`{rule['alert']}`" in PAGE
