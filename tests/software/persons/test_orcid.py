"""ORCID iDs in the spellings that people use; the check digit is that of ISO 7064."""

from indexer.software.persons.orcid import orcid_iri
from tests.each_row import each_row

JOSIAH = "https://orcid.org/0000-0002-1825-0097"


@each_row(
    ("text", "iri"),
    [
        ("0000-0002-1825-0097", JOSIAH),
        (JOSIAH, JOSIAH),
        (" http://www.orcid.org/0000-0002-1825-0097/ ", JOSIAH),
        ("orcid.org/0000-0002-1825-0097", JOSIAH),
        ("ORCID: 0000-0002-1825-0097", JOSIAH),
        ("0000000218250097", JOSIAH),
        ("0000-0002-1694-233x", "https://orcid.org/0000-0002-1694-233X"),
        ("0000-0002-1825-0098", None),
        ("0000-0002-1825", None),
        ("https://a.example/0000-0002-1825-0097", None),
        ("", None),
    ],
)
def test_a_valid_orcid_is_an_iri_and_all_else_is_none(text: str, iri: str | None) -> None:
    assert orcid_iri(text) == iri
