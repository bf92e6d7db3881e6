"""Tests of the options for fetching."""

from ipaddress import ip_address
from typing import Any

import pytest

from indexer.errors import ConfigurationError
from indexer.http.fetching import FetchOptions
from indexer.http.fetching.client import Client
from indexer.http.fetching.options import checked_agent
from tests.each_row import each_row


@each_row(
    ("agent", "contact", "header", "product"),
    [
        ("", "", "Mozilla/5.0 (compatible; story-indexer/0.1)", "story-indexer"),
        (
            "",
            "https://example.org/bot",
            "Mozilla/5.0 (compatible; story-indexer/0.1; +https://example.org/bot)",
            "story-indexer",
        ),
        ("NewsBot/2.0 (+https://example.org)", "", "NewsBot/2.0 (+https://example.org)", "NewsBot"),
        (
            "Mozilla/5.0 (compatible; mediacloud academic archive; mediacloud.org)",
            "https://example.org/bot",
            "Mozilla/5.0 (compatible; mediacloud academic archive; mediacloud.org)",
            "mediacloud",
        ),
        ("Bot; +CONTACT", "mailto:a@example.org", "Bot; +mailto:a@example.org", "Bot"),
    ],
)
def test_the_operator_sets_the_user_agent(
    agent: str, contact: str, header: str, product: str
) -> None:
    given: dict[str, Any] = {"user_agent": agent} if agent else {}
    options = FetchOptions(contact_url=contact, **given)

    assert (options.agent, options.product) == (header, product)


@each_row("agent", ["a\r\nX-Evil: 1", "Bötchen", " ", "a\x00"])
def test_an_agent_that_is_no_header_is_a_configuration_error(agent: str) -> None:
    with pytest.raises(ConfigurationError, match="user agent"):
        Client(FetchOptions(user_agent=agent))


def test_options_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FETCHER_ALLOW_ADDRESS", "127.0.0.0/8 10.0.0.0/8")
    monkeypatch.setenv("FETCHER_RESOLVE", "a.test=127.0.0.1:1 *.b.test=127.0.0.1")
    monkeypatch.setenv("MAX_HTML_BYTES", "5")

    options = FetchOptions()

    assert options.allow_address == ["127.0.0.0/8", "10.0.0.0/8"]
    assert options.resolve == ["a.test=127.0.0.1:1", "*.b.test=127.0.0.1"]
    assert options.max_html_bytes == 5


@each_row("agent", ["", " ", "a\nb", "é"])
def test_a_user_agent_is_one_line_of_ascii(agent: str) -> None:
    with pytest.raises(ConfigurationError, match=r"--agent: it has to be one line"):
        checked_agent(agent, "--agent")


def test_an_operator_may_refuse_addresses() -> None:
    policy = FetchOptions.of({"FETCHER_REFUSE_ADDRESS": "198.41.0.0/24"}).addresses
    assert policy.why_not(ip_address("198.41.0.4")) == "refused by an option"
    assert policy.why_not(ip_address("198.41.1.4")) == ""
