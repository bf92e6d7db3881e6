"""Missing inputs among others: the others are found."""

from pathlib import Path
from typing import BinaryIO

import pytest

from indexer.errors import ConfigurationError, FetchError, InputError
from indexer.inputs.inputs import Inputs


def no_fetch(url: str) -> BinaryIO:
    raise FetchError(url)


def test_what_is_available_is_found_whatever_else_was_named(tmp_path: Path) -> None:
    there = [str(tmp_path / name) for name in ("a", "b")]
    for name in there:
        Path(name).write_bytes(b"")
    (tmp_path / "list").write_text(f"{there[0]}\n{tmp_path}/missing\n{there[1]}\n")
    told: list[InputError] = []
    given = ["/missing/file", f"@{tmp_path}/list", "@/missing/list", there[0]]
    found = [each.name for each in Inputs(no_fetch).available(given, told.append)]
    assert found == [*there, there[0]]
    assert [str(error) for error in told] == [
        "@/missing/list: No such file or directory",
        "/missing/file: No such file or directory",
        f"{tmp_path}/missing: No such file or directory",
    ]


def test_what_is_no_name_is_an_error_before_anything_is_available() -> None:
    with pytest.raises(ConfigurationError):
        Inputs(no_fetch).available(["ftp://a.example/feed"], print)
