"""Percent-encoding in one form."""

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.feeds.identity.escapes import normal
from tests.each_row import each_row
from tests.feeds.properties import patient


@each_row(
    ("text", "form"),
    [
        ("/plain-~._path", "/plain-~._path"),
        ("/a%2fb", "/a%2Fb"),
        ("/%7Euser/%41", "/~user/A"),
        ("/é", "/%C3%A9"),
        ("/%c3%a9", "/%C3%A9"),
        ("/%e9", "/%E9"),
        ("a b|c", "a%20b%7Cc"),
        ("100%", "100%25"),
        ("%zz", "%25zz"),
        ("x=%26&y=&", "x=%26&y=&"),
    ],
)
def test_an_escaped_url_has_one_form(text: str, form: str) -> None:
    assert normal(text) == form


def test_a_lone_surrogate_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="surrogates"):
        normal("/\ud800")


_TEXT = st.text(st.characters(exclude_categories=["Cs"]))


@patient
@given(_TEXT)
def test_an_iri_and_its_encoded_twin_have_one_form_that_stays(text: str) -> None:
    form = normal(quote(text, safe=""))
    assert form == normal(form)
    assert form.isascii()
    letters = "".join(char for char in text if char.isalnum() and not char.isascii())
    assert normal(letters) == normal(quote(letters)) == normal(quote(letters).lower())


@patient
@given(st.lists(_TEXT, min_size=2, max_size=2, unique=True))
def test_different_texts_that_are_encoded_stay_different(texts: list[str]) -> None:
    one, two = (normal(quote(text, safe="")) for text in texts)
    assert one != two
