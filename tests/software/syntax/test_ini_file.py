"""INI: the sections of setup.cfg."""

import pytest

from indexer.errors import UnreadableManifest
from indexer.software.syntax.ini_file import read_ini
from tests.each_row import each_row


@each_row(
    ("text", "value"),
    [
        ("[metadata]\nName = x\nversion=%(y)s", {"metadata": {"name": "x", "version": "%(y)s"}}),
        ("[a]\nb =\n  one\n  two", {"a": {"b": "one\ntwo"}}),
        ("[a]\nb = 1\n[a]\nb = 2\nc", {"a": {"b": "2", "c": None}}),
        ("[DEFAULT]\na = 1\n[b]", {"DEFAULT": {"a": "1"}, "b": {}}),
        ("", {}),
    ],
)
def test_sections_and_their_keys(text: str, value: object) -> None:
    assert read_ini(text.encode()) == value


@each_row("text", ["a = 1", "[a\nb", "[a]\n = 1", "\0"])
def test_broken_files_are_refused(text: str) -> None:
    with pytest.raises(UnreadableManifest):
        read_ini(text.encode())
