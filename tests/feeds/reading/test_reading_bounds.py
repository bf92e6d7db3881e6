"""Bounds of reading: entities are not expanded, and the number of items is limited."""

import pytest

from indexer.feeds.reading import markup_reading
from tests.feeds.documents import item, reading, rss

ENTITIES = "".join(f'<!ENTITY l{number} "{f"&l{number - 1};" * 10}">' for number in range(1, 12))
LAUGHS = f'<!DOCTYPE rss [<!ENTITY l0 "lol">{ENTITIES}]>'
EXTERNAL = '<!DOCTYPE rss [<!ENTITY l11 SYSTEM "file:///etc/passwd">]>'


def test_an_entity_is_not_expanded() -> None:
    body = LAUGHS + rss("<item><title>&l11;</title><link>https://s.example/1</link></item>")
    assert [entry.title for entry in reading(body).entries] == ["&l11;"]


def test_an_external_entity_is_not_fetched() -> None:
    body = EXTERNAL + rss("<item><title>&l11;</title></item>")
    assert [entry.title for entry in reading(body).entries] == ["&l11;"]


def test_items_beyond_the_bound_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(markup_reading, "MAX_ENTRIES", 3)
    found = reading(rss(*map(item, range(9))))
    assert len(found.entries) == 3
    assert len(found.warnings) == 1
