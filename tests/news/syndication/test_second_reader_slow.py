"""feedparser in its process: hostile documents end within its limits, and the next is read."""

import threading
from contextlib import suppress

import pytest

from indexer.errors import SandboxError
from indexer.news.syndication.second_reader import SecondReader
from indexer.system.sandbox import SandboxLimits
from tests.news.syndication.wild_feeds import wild

CDF = wild("channel.cdf")

LAUGHS = "<!DOCTYPE c [<!ENTITY a 'ha'>" + "".join(
    f"<!ENTITY {name} '{f'&{before};' * 20}'>"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)

HOSTILE = {
    "laughs": LAUGHS + "]><CHANNEL><ITEM HREF='x'><TITLE>&i;</TITLE></ITEM></CHANNEL>",
    "a file": "<!DOCTYPE c [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><c><item><title>&a;</title>",
    "depth": "<c><item>" + "<a>" * 300_000,
    "titles": "<c><item>" + "<title>" * 50_000,
    "items": "<c>" + "<item>" * 100_000,
    "an attribute": "<c><item a='" + "x" * 1_000_000,
    "attributes": "<c><item " + "a='b' " * 100_000 + ">",
    "angles": "<c><item>" + "<" * 100_000,
    "references": "<c><item><title>" + "&amp;" * 200_000,
    "sections": "<c><item>" + "<![CDATA[" * 50_000,
    "declarations": "<!DOCTYPE c [" * 50_000 + "<item>",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_document_costs_itself(kind: str) -> None:
    with SecondReader(SandboxLimits(seconds=3, megabytes=512)) as second, suppress(SandboxError):
        found = second.read(HOSTILE[kind])
        texts = [text for item in found.items for text in item.texts.values()]
        assert "root:" not in "".join(texts)
        assert all(len(text) <= 65_536 for text in texts)


def test_after_a_document_that_takes_too_long_the_next_is_read() -> None:
    with SecondReader(SandboxLimits(seconds=3, megabytes=512)) as second:
        with pytest.raises(SandboxError, match=r"timeout|memory|crash"):
            second.read("<c><item>" + "<a>" * 2_000_000)
        assert len(second.read(CDF).items) == 2


def test_threads_share_a_reader() -> None:
    counts: list[int] = []
    with SecondReader() as second:
        readers = [
            threading.Thread(target=lambda: counts.append(len(second.read(CDF).items)))
            for _ in range(4)
        ]
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join()
    assert counts == [2] * 4


def test_a_reader_that_was_closed_reads_again() -> None:
    second = SecondReader()
    assert len(second.read(CDF).items) == 2
    second.close()
    assert len(second.read(CDF).items) == 2
    second.close()
