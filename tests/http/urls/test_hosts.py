"""Names of hosts: compared by whole labels; the domains that they are registered under."""

import socket

import pytest
import tldextract

from indexer.http.urls.hosts import is_within, without_www
from indexer.http.urls.registered_domains import registered_domain
from tests.each_row import each_row

WITHIN = [
    ("news.example", ["news.example"], True),
    ("blog.news.example", ["news.example"], True),
    ("Blog.NEWS.example", [".News.Example."], True),
    ("a.example", ["b.example", "a.example"], True),
    ("anews.example", ["news.example"], False),
    ("news.example", ["blog.news.example"], False),
    ("news.example.com", ["news.example"], False),
    ("news.example", ["", "."], False),
    ("news.example", [], False),
    ("", ["news.example"], False),
]


@each_row(("host", "domains", "answer"), WITHIN)
def test_a_host_is_under_a_domain_by_whole_labels(
    host: str, domains: list[str], answer: bool
) -> None:
    assert is_within(host, domains) is answer


SHORTER = [
    ("www.a.example", "a.example"),
    ("www.com", "www.com"),
    ("www2.a.example", "www2.a.example"),
    ("www.www.a.example", "www.a.example"),
    ("wwwa.example", "wwwa.example"),
]


@each_row(("host", "short"), SHORTER)
def test_only_the_whole_label_is_removed_and_a_name_stays(host: str, short: str) -> None:
    assert without_www(host) == short


def test_the_list_of_public_suffixes_is_not_downloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a look-up in the network")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    used_by_mcmetadata = tldextract.tldextract.TLD_EXTRACTOR
    assert used_by_mcmetadata.suffix_list_urls == ()
    used_by_mcmetadata.update()
    assert registered_domain("www.somewhere-new.co.uk") == "somewhere-new.co.uk"
