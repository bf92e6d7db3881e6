"""Citations of documents of any shape: there is always a text, and never an exception."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from indexer.software.citing.bibtex import bibtex
from indexer.software.citing.cff import cff
from indexer.software.citing.citation import citation_of, citations_of
from indexer.software.citing.csl import csl

TERMS = ["type", "name", "author", "license", "url", "keywords", "datePublished", "identifier"]
SCALARS = (
    st.none() | st.booleans() | st.integers() | st.text() | st.just("https://doi.org/10.5281/a")
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from([*TERMS, "@value", "givenName", "familyName"]), inner, max_size=4
        )
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from([*TERMS, "referencePublication"]), VALUES, max_size=6))
def test_a_document_of_any_shape_has_a_citation(document: Any) -> None:
    found = [citation_of(document), *citations_of(document, "referencePublication")]
    assert bibtex(found).startswith("@")
    assert len(csl(found)) == len(found)
    assert cff(found[0], found).startswith("cff-version: 1.2.0\n")
