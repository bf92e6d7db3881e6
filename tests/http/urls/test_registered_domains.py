"""Domains as they are registered."""

import socket

import pytest
import tldextract

from indexer.http.urls.registered_domains import registered_domain, suffixes


def test_the_list_of_public_suffixes_is_not_downloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a look-up in the network")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    used_by_mcmetadata = suffixes()
    assert used_by_mcmetadata is tldextract.tldextract.TLD_EXTRACTOR
    assert used_by_mcmetadata.suffix_list_urls == ()
    used_by_mcmetadata.update()
    assert registered_domain("www.somewhere-new.co.uk") == "somewhere-new.co.uk"
