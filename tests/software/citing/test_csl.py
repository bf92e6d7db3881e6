"""CSL-JSON: the items of a citation processor."""

from indexer.software.citing.citation import citation_of, citations_of
from indexer.software.citing.csl import csl
from tests.software.citing.documents import DOCUMENT


def test_the_software_and_its_publication_are_items() -> None:
    found = [citation_of(DOCUMENT), *citations_of(DOCUMENT, "referencePublication")]
    assert csl(found) == [
        {
            "id": "van_doe_tides_2024",
            "type": "software",
            "title": "Tides & {currents}",
            "author": [
                {"family": "van Doe", "given": "Jane"},
                {"literal": "Ann Other"},
                {"literal": "Tides and Waves Team"},
            ],
            "version": "1.0",
            "issued": {"date-parts": [[2024, 2, 3]]},
            "DOI": "10.5281/zenodo.1",
            "URL": "https://tides.example/100%25_a",
            "license": "MIT",
            "keyword": "sea, tide",
            "abstract": "Predicts tides: 50% of $x_1$",
        },
        {
            "id": "van_doe_on_2023",
            "type": "article-journal",
            "title": "On tides",
            "author": [{"family": "van Doe", "given": "Jane"}],
            "container-title": "Sea",
            "issued": {"date-parts": [[2023]]},
            "DOI": "10.5281/zenodo.2",
        },
    ]
