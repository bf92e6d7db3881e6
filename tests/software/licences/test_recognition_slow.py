"""Generated texts where a licence belongs: no invalid IRI, and no exception."""

from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.software.licences.identifiers import IRI, expression, is_identifier
from indexer.software.licences.recognition import licences_of

WORDS = ["MIT", "or", "and", "with", "(", ")", "+", "/", "|", "v3", "GPL", ",", "BSD", "later"]


@settings(max_examples=300, deadline=None)
@given(st.text() | st.lists(st.sampled_from(WORDS)).map(" ".join))
def test_no_text_makes_an_invalid_iri(text: str) -> None:
    for each in licences_of(text):
        if each.text.startswith(IRI):
            identifier = each.text.removeprefix(IRI)
            assert is_identifier(identifier)
            assert expression(identifier) == identifier
