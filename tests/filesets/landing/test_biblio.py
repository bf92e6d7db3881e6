"""The table of meta elements: which one gives which field of html_biblio."""

from typing import Any

from indexer.filesets.landing.biblio import html_biblio
from indexer.filesets.landing.page_head import page_head
from tests.each_row import each_row

TITLE = '<meta name="citation_title" content="A title">'


def biblio(metas: str) -> dict[str, Any]:
    page = f"<html><head>{metas}</head><body></body></html>"
    return html_biblio(page_head(page.encode()))


def meta(name: str, content: str, attribute: str = "name") -> str:
    return f'<meta {attribute}="{name}" content="{content}">'


@each_row(
    ("metas", "field", "value"),
    (
        (meta("DC.Title", "T"), "title", "T"),
        (meta("og:title", "T") + meta("dc.title", "U"), "title", "T"),
        (meta("og:title", "T", "property"), "title", None),
        (meta("citation_title", " ") + meta("dc.title", "U"), "title", "U"),
        (TITLE + meta("citation_doi", "doi:10.1/a"), "doi", "10.1/a"),
        (TITLE + meta("DOI", "10.1/a", "id"), "doi", "10.1/a"),
        (
            TITLE + '<meta name="dc.identifier" scheme="DOI" content="10.1/a">',
            "doi",
            "10.1/a",
        ),
        (TITLE + meta("DC.identifier", "doi:10.1234/a"), "doi", "10.1234/a"),
        (TITLE + meta("DC.identifier", "isbn:1"), "doi", None),
        (TITLE + meta("bepress_citation_date", "2020/05/06"), "release_date", "2020-05-06"),
        (TITLE + meta("article:published", "2020-05-06", "property"), "release_date", "2020-05-06"),
        (TITLE + meta("datePublished", "2020-05-06", "itemprop"), "release_date", "2020-05-06"),
        (TITLE + meta("dc.date", "soon"), "release_date", None),
        (TITLE + meta("citation_year", "2020", "itemprop"), "release_year", 2020),
        (TITLE + meta("og:site_name", "Site", "property"), "container_name", "Site"),
        (TITLE + meta("og:site_name", "Site"), "container_name", None),
        (TITLE + meta("citation_isbn", "978-3-16-148410-0"), "isbn13", "9783161484100"),
        (TITLE + meta("dc.type", "Research Article"), "release_type", "article-journal"),
        (TITLE + meta("dc.type", "Dataset"), "release_type", None),
        (
            TITLE + meta("dc.creator", "X") + meta("citation_author", "A") * 2,
            "contrib_names",
            ["A", "A"],
        ),
        (TITLE + meta("citation_reference", "R &amp; S"), "raw_references", ["R & S"]),
        (TITLE + meta("prism.teaser", "About"), "abstract", "About"),
        (meta("citation_pmid", "1"), "pmid", None),
    ),
)
def test_a_meta_element_gives_a_field(metas: str, field: str, value: Any) -> None:
    assert biblio(metas).get(field) == value


def test_a_page_without_a_title_has_no_metadata() -> None:
    assert biblio(meta("citation_doi", "10.1/a")) == {}


@each_row(
    "page",
    (
        f"{TITLE}<p>no head",
        f"<!doctype html><HEAD>{TITLE}</HEAD>",
        f"<head><script>if (a < b) '<body>'</script>{TITLE}</head>",
        f"<head><!-- <body> -->{TITLE}",
        "<meta content='A title' NAME='Citation_Title' />",
    ),
)
def test_broken_heads_are_read(page: str) -> None:
    assert html_biblio(page_head(page.encode())) == {"title": "A title"}


@each_row("page", (b"", b"\x00\x01\x02" * 999, f"<body>{TITLE}".encode()))
def test_what_is_no_head_has_no_metadata(page: bytes) -> None:
    assert html_biblio(page_head(page)) == {}


def test_the_file_page_of_a_dataverse_names_its_file() -> None:
    url = "https://d.example/api/access/datafile/7"
    page = f'{TITLE}<body><div class="form-group"><code> {url}</code></div>'
    assert html_biblio(page_head(page.encode()))["component_url"] == url
