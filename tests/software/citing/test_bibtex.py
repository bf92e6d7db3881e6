"""BibTeX: fields of a citation, escaped for LaTeX."""

from indexer.software.citing.bibtex import bibtex, escaped_for_latex
from indexer.software.citing.citation import citation_of, citations_of
from indexer.software.syntax.tree import Tree
from tests.each_row import each_row
from tests.software.citing.documents import DOCUMENT

SOFTWARE = r"""@software{van_doe_tides_2024,
  author = {van Doe, Jane and Ann Other and {Tides and Waves Team}},
  title = {{Tides \& \{currents\}}},
  version = {1.0},
  year = {2024},
  month = {2},
  doi = {10.5281/zenodo.1},
  url = {https://tides.example/100%25_a},
  license = {MIT},
  keywords = {sea, tide},
  abstract = {Predicts tides: 50\% of \$x\_1\$},
}
"""

ARTICLE = """@article{van_doe_on_2023,
  author = {van Doe, Jane},
  title = {{On tides}},
  journal = {Sea},
  year = {2023},
  doi = {10.5281/zenodo.2},
}
"""


def test_the_software_and_its_publication_are_entries() -> None:
    found = [citation_of(DOCUMENT), *citations_of(DOCUMENT, "referencePublication")]
    assert bibtex(found) == f"{SOFTWARE}\n{ARTICLE}"


@each_row(
    ("text", "escaped"),
    [
        ("a\\b", r"a\textbackslash{}b"),
        ("50% & #1_$", r"50\% \& \#1\_\$"),
        ("~^{}", r"\textasciitilde{}\textasciicircum{}\{\}"),
        ("Zoë 王", "Zoë 王"),
    ],
)
def test_texts_are_escaped_for_latex(text: str, escaped: str) -> None:
    assert escaped_for_latex(text) == escaped


def test_names_that_bibtex_would_divide_are_kept_whole() -> None:
    authors: list[Tree] = ["Doe, Jane", "Sand and Sea", {"familyName": "A and B", "givenName": "C"}]
    found = bibtex([citation_of({"author": authors})])
    assert "author = {{Doe, Jane} and {Sand and Sea} and {A and B}, C}" in found


def test_the_keys_of_entries_differ() -> None:
    same = citation_of({"name": "a"})
    found = bibtex([same, same, same])
    assert [line for line in found.splitlines() if line.startswith("@")] == [
        "@misc{a,",
        "@misc{a_2,",
        "@misc{a_3,",
    ]
