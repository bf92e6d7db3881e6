"""DOIs in URLs and texts."""

from indexer.filesets.landing.doi import doi_in, doi_of, handle_api
from tests.each_row import each_row


@each_row(
    ("text", "doi"),
    (
        ("10.5281/zenodo.1", "10.5281/zenodo.1"),
        (" doi:10.5281/Zenodo.1. ", "10.5281/zenodo.1"),
        ("DOI: 10.5281/zenodo.1", "10.5281/zenodo.1"),
        ("info:doi/10.5281/zenodo.1", "10.5281/zenodo.1"),
        ("urn:doi:10.5281/zenodo.1", "10.5281/zenodo.1"),
        ("https://doi.org/10.5281/zenodo.1", "10.5281/zenodo.1"),
        ("https://doi.org/doi:10.5281/zenodo.1", "10.5281/zenodo.1"),
        ("http://dx.doi.org/10.5281%2Fzenodo.1?x=1", "10.5281/zenodo.1"),
        ("https://hdl.handle.net/10.5281/zenodo.1", "10.5281/zenodo.1"),
        ("https://doi.org/10.1000/a(b)c;d", "10.1000/a(b)c;d"),
        ("https://doi.org/10.1000.5/a", "10.1000.5/a"),
        ("https://doi.org/", ""),
        ("https://doi.org/api/handles/10.5281/zenodo.1", ""),
        ("https://doi.org.example.com/10.5281/zenodo.1", ""),
        ("https://example.org/10.5281/zenodo.1", ""),
        ("11.5281/zenodo.1", ""),
        ("https://doi.org/10.5281/", ""),
        ("", ""),
    ),
)
def test_a_doi_is_recognised(text: str, doi: str) -> None:
    assert doi_of(text) == doi


@each_row(
    ("path", "doi"),
    (
        ("/doi/10.5281/zenodo.1", "10.5281/zenodo.1"),
        ("/dataset/doi:10.5061/dryad.A", "10.5061/dryad.a"),
        ("/dataset/doi%3A10.5061%2Fdryad.a/", "10.5061/dryad.a"),
        ("/records/10", ""),
    ),
)
def test_a_doi_is_found_in_a_path(path: str, doi: str) -> None:
    assert doi_in(path) == doi


def test_the_handle_api_is_asked_for_an_encoded_doi() -> None:
    url = handle_api("https://doi.org", "10.1000/a<b>#c")
    assert url == "https://doi.org/api/handles/10.1000/a%3Cb%3E%23c"
