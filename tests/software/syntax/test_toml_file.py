"""TOML: plain values only, and no key that takes quadratic time."""

import pytest

from indexer.errors import UnreadableManifest
from indexer.software.syntax.toml_file import read_toml
from tests.each_row import each_row


def test_dates_and_times_are_texts() -> None:
    text = b"a = 2020-01-02\r\nb = 2020-01-02T03:04:05Z\r\nc = [{d = 03:04:05}]"
    assert read_toml(text) == {
        "a": "2020-01-02",
        "b": "2020-01-02T03:04:05+00:00",
        "c": [{"d": "03:04:05"}],
    }


@each_row(
    "text",
    [
        *("a", "a = ", "a = 1\na = 2", "a = " + "[" * 5000, "a = " + "1" * 5000),
        *(".".join("a" * 100_000) + " = 1", ".".join("a" * 100) + " = 1"),
    ],
)
def test_hostile_and_broken_files_are_refused(text: str) -> None:
    with pytest.raises(UnreadableManifest):
        read_toml(text.encode())
