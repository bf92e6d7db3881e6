"""Inputs of the queuer: archives, and lines of lists."""

import io
import json
from pathlib import Path

import pytest

from indexer.messages.worker import Skipped
from indexer.software.archives.inputs import is_one_origin, message_of, messages_of
from indexer.software.messages import OriginMessage

URL = "https://example.org/project"


def read(*lines: str | bytes, archive: str = "/a.jsonl") -> list[object]:
    """The messages of a list; of a refused line, its status and its label."""
    body = b"\n".join(line if isinstance(line, bytes) else line.encode() for line in lines)
    return [
        (each.status, each.label) if isinstance(each, Skipped) else each
        for each in messages_of("list", io.BytesIO(body), archive)
    ]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("https://example.org/p.git", True),
        ("https://example.org/p", True),
        ("git@example.org:p.git", True),
        ("ssh://example.org/p.git", True),
        ("https://example.org/list.txt", False),
        ("https://example.org/visits.jsonl.gz", False),
        ("s3://bucket/visits.jsonl", False),
        ("p-1.2.tar.gz", True),
        ("P-1.2.TGZ", True),
        ("p.zip", True),
        ("/tmp", True),  # noqa: S108 - a directory that exists
        ("file:///tmp", True),
        ("visits.jsonl", False),
        ("visits.jsonl.gz", False),
        ("-", False),
    ],
)
def test_what_is_an_archive_with_one_origin(name: str, expected: bool) -> None:
    assert is_one_origin(name) is expected


def test_an_archive_on_disk_has_a_file_url(tmp_path: Path) -> None:
    place = tmp_path / "a b"
    expected = OriginMessage(str(place), f"file://{tmp_path}/a%20b")
    assert message_of(str(place)) == expected
    assert message_of(f"file://{tmp_path}/a%20b") == expected


def test_lines_are_archives_visits_and_metadata() -> None:
    metadata = {"topic": "raw_extrinsic_metadata", "target": URL}
    assert read(
        "# a comment",
        "",
        "https://example.org/p.git\r",
        json.dumps({"origin": URL, "status": "full", "visit": 3}),
        json.dumps({"origin": URL, "archive": "/other"}),
        json.dumps({"topic": "origin_visit_status", "origin": URL, "status": "partial"}),
        json.dumps({"topic": "origin_visit_status", "origin": URL, "status": "ongoing"}),
        json.dumps({"topic": "revision", "id": "1" * 40}),
        json.dumps(metadata),
    ) == [
        OriginMessage("https://example.org/p.git", "https://example.org/p.git"),
        OriginMessage("/a.jsonl", URL),
        OriginMessage("/other", URL),
        OriginMessage("", "", metadata),
    ]


@pytest.mark.parametrize(
    "line",
    ["{", "{" * 5000, "junk", b"\xff\xfe", '{"status": "full"}', '{"origin": 1}', '{"origin": ""}'],
)
def test_a_line_that_is_none_of_them_is_told(line: str | bytes) -> None:
    assert read("", line) == [("bad-line", "list, line 2")]


def test_a_visit_needs_an_archive() -> None:
    assert read(json.dumps({"origin": URL}), archive="") == [("no-archive", "list, line 1")]
