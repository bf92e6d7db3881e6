"""The media type of a file: its bytes, then the platform, then its name."""

from indexer.filesets.strategies.file_types import file_type
from tests.each_row import each_row

ZIP = b"PK\x03\x04...."
GZIP = b"\x1f\x8b\x08"


@each_row(
    ("head", "name", "announced", "found"),
    [
        (b"", "a.csv", "text/csv", "application/x-empty"),
        (b"%PDF-1.7", "a.bin", "text/plain", "application/pdf"),
        (b"\x89PNG\r\n\x1a\n", "a.pdf", "application/pdf", "image/png"),
        (b"a,b", "a.csv", "", "text/csv"),
        (b"a,b", "a.csv", "text/plain", "text/csv"),
        (b"a,b", "a.unknown", "text/x-special; charset=utf-8", "text/x-special"),
        (b"a,b", "a.unknown", "application/octet-stream", "text/plain"),
        ("é".encode()[:1], "a", "", "text/plain"),
        (b"\0\1", "a", "", "application/octet-stream"),
        (ZIP, "a.zip", "", "application/zip"),
        (ZIP, "a", "application/octet-stream", "application/zip"),
        (ZIP, "a.zip", "text/html", "application/zip"),
        (GZIP, "a.csv.gz", "", "application/gzip"),
        (GZIP, "a", "", "application/gzip"),
        (b"<html>", "a", "text/html", "text/html"),
        (b"x", "a.tar.gz", "", "application/gzip"),
    ],
)
def test_the_type(head: bytes, name: str, announced: str, found: str) -> None:
    assert file_type(head, name, announced) == found


def test_a_document_in_a_zip_file_keeps_its_type() -> None:
    word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    assert file_type(ZIP, "a.docx", word) == word
    assert file_type(ZIP, "a.docx") == word
