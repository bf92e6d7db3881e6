"""A text that is kept to be read again; documents for which no process starts."""

import pytest

from indexer.errors import SandboxError
from indexer.news.syndication.second_reader import (
    MAX_CHARACTERS,
    KeptText,
    SecondReader,
    SecondReading,
)
from tests.each_row import each_row


@each_row("text", ["", "x", "<rss><channel/></rss>", "<items/>", "<x:itemized/>", "<entry1/>"])
def test_a_document_without_items_starts_no_process(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indexer.system.sandbox.subprocess.Popen", None)
    with SecondReader() as second:
        assert second.read(text) == SecondReading()


def test_a_document_that_is_too_long_is_not_read() -> None:
    with SecondReader() as second, pytest.raises(SandboxError, match="10000000 characters"):
        second.read("<item>" + "x" * MAX_CHARACTERS)


def test_a_text_is_kept_while_it_is_read() -> None:
    text = KeptText(["a", "b", "c"])
    assert next(iter(text)) == "a"
    assert text.is_kept
    assert text.whole() == "aabc"


def test_a_text_that_is_forgotten_is_read_on() -> None:
    text = KeptText(iter(["a", "b", "c"]))
    pieces = iter(text)
    assert next(pieces) == "a"
    text.forget()
    assert list(pieces) == ["b", "c"]
    assert (text.is_kept, text.whole()) == (False, "")


def test_a_text_that_is_too_long_is_forgotten() -> None:
    piece = "x" * (MAX_CHARACTERS // 2)
    text = KeptText(iter([piece, piece, "y"]))
    assert [len(found) for found in text] == [len(piece), len(piece), 1]
    assert (text.is_kept, text.whole()) == (False, "")
