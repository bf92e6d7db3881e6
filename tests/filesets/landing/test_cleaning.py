"""URLs of requests in the form in which they are fetched."""

import pytest

from indexer.errors import FilesetError
from indexer.filesets.landing.cleaning import clean_url
from tests.each_row import each_row


@each_row(
    ("text", "url"),
    (
        ("  https://example.org/a \n", "https://example.org/a"),
        ("HTTPS://Example.ORG", "https://example.org/"),
        ("https://example.org:/a", "https://example.org/a"),
        ("https://example.org:443/a", "https://example.org/a"),
        ("http://example.org:8080/a/../b", "http://example.org:8080/b"),
        ("https://example.org/a b?q=ü#top", "https://example.org/a%20b?q=%C3%BC"),
        ("https://exämple.org/", "https://xn--exmple-cua.org/"),
        ("10.5072/A", "https://doi.org/10.5072/a"),
        ("doi:10.5072/a", "https://doi.org/10.5072/a"),
    ),
)
def test_a_url_is_fetched_as_browsers_do(text: str, url: str) -> None:
    assert clean_url(text) == url


@each_row(
    "text",
    ("", "a title", "ftp://example.org/a", "http://", "http://[/", "https://u:p@example.org/"),
)
def test_a_text_that_is_no_url_has_a_status(text: str) -> None:
    with pytest.raises(FilesetError, match="invalid-url"):
        clean_url(text)
