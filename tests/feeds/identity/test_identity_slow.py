"""Properties of the identity of a URL: random URLs."""

from urllib.parse import quote

from hypothesis import given
from hypothesis import strategies as st

from indexer.feeds.identity.identity import MAX_LENGTH, identity
from tests.feeds.properties import patient

_WORD = st.text("abcXYZ019", min_size=1, max_size=8)
_LABEL = st.text("abcxyz019", min_size=1, max_size=8)
_NAME = st.sampled_from(["id", "sid", "cid", "sort", "P", "p", "s", "lang", "story", "v"])
_HOST = st.lists(_LABEL, min_size=1, max_size=3).map(lambda labels: ".".join([*labels, "example"]))
_PATH = st.lists(_WORD, max_size=4).map("/".join)
_QUERY = st.lists(st.tuples(_NAME, _WORD), max_size=3).map(
    lambda pairs: "&".join(f"{name}={value}" for name, value in pairs)
)
_PLACE = st.tuples(_HOST.filter(lambda host: not host.startswith("www.")), _PATH, _QUERY)


@patient
@given(_PLACE, _PLACE)
def test_urls_that_differ_in_host_path_or_a_kept_parameter_are_never_one(
    one: tuple[str, str, str], two: tuple[str, str, str]
) -> None:
    first, second = (identity(f"https://{host}/{path}?{query}") for host, path, query in (one, two))
    assert first is not None
    assert (first == second) is (one == two)


@patient
@given(_PLACE)
def test_case_counts_in_paths_and_queries_only(place: tuple[str, str, str]) -> None:
    host, path, query = place
    url = f"https://{host}/{path}?{query}"
    assert identity(f"HTTP://WWW.{host.upper()}/{path}?{query}#x") == identity(url)
    if path.swapcase() != path:
        assert identity(f"https://{host}/{path.swapcase()}?{query}") != identity(url)


@patient
@given(_PLACE, st.text(st.characters(categories=["L", "N"]), max_size=10))
def test_an_iri_and_its_encoded_twin_are_one(place: tuple[str, str, str], text: str) -> None:
    url = f"https://{place[0]}/{place[1]}/"
    assert identity(f"{url}{text}?q={text}") == identity(f"{url}{quote(text)}?q={quote(text)}")


@patient
@given(_PLACE, st.sampled_from(["utm_source", "gclid", "Fbclid"]), _WORD)
def test_tracking_parameters_never_count(
    place: tuple[str, str, str], name: str, value: str
) -> None:
    host, path, query = place
    url = f"https://{host}/{path}?{query}"
    assert identity(f"{url}&{name}={value}") == identity(url)


@patient
@given(st.text(), st.text())
def test_any_text_has_an_answer(text: str, more: str) -> None:
    for url in (text, f"https://{text}/{more}", f"http://news.example/{text}?{more}#!{text}"):
        found = identity(url)
        assert found is None or (found.isascii() and len(found) <= MAX_LENGTH)
