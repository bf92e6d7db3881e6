"""Searches for software have the same hits, in the same order, on every backend (spec 8.1, 12)."""

from typing import Any

import pytest

from indexer.errors import QueryError
from indexer.search import SearchIndex
from indexer.software.searching.fields import FACETS
from indexer.software.searching.search import (
    PageKey,
    SoftwareQuery,
    count_hits,
    facets_of,
    search_page,
)
from indexer.software.searching.tiers import conjunction, tree_of
from indexer.software.store.origins import OriginMetadata
from tests.software.searching.indexed import fill, intrinsic, names, stated, url

MIT, APACHE = "https://spdx.org/licenses/MIT", "https://spdx.org/licenses/Apache-2.0"
ADA = {"type": "Person", "givenName": "Ada", "familyName": "Lovelace", "email": "ada@x.example"}
JOSE = {"type": "Person", "name": "José Müller"}

SOFTWARE = [
    intrinsic("a-fast-fourier", "npm", name="fast fourier", description="Signal transforms."),
    intrinsic("b-fourier", "maven", name="Fourier", license=MIT, programmingLanguage="Java"),
    intrinsic("c-signals", "npm", name="signals", keywords=["Fourier", "wave"], license=MIT),
    intrinsic("d-waves", "npm", "cff", name="waves", description="A fast Fourier transform.",
              license=[MIT, APACHE], author=[ADA, JOSE], programmingLanguage=["C", "Rust"]),
    intrinsic("e-uber", "cff", name="Über-Größe", description="naïve café", author=[JOSE]),
    intrinsic("f-bare", "npm", identifier="10.5281/zenodo.77"),
]  # fmt: skip


@pytest.fixture
def filled(index: SearchIndex) -> SearchIndex:
    fill(index, *SOFTWARE)
    return index


ALL = "a-fast-fourier b-fourier c-signals d-waves e-uber f-bare"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # The exact name, then names, keywords, descriptions; within a tier, the order of URLs.
        ("fourier", "b-fourier a-fast-fourier c-signals d-waves"),
        ("FOURIER", "b-fourier a-fast-fourier c-signals d-waves"),
        ("fast fourier", "a-fast-fourier d-waves"),
        ('"fast fourier"', "a-fast-fourier d-waves"),
        ('"fourier fast"', ""),
        ("fou*", "a-fast-fourier b-fourier c-signals d-waves"),
        ("wave*", "d-waves c-signals"),
        ("waves OR fourier", "a-fast-fourier b-fourier d-waves c-signals"),
        ("fourier -fast", "b-fourier c-signals"),
        ("fourier -name:fast", "b-fourier c-signals d-waves"),
        # Fields.
        ("name:fourier", "a-fast-fourier b-fourier"),
        ("keywords:fourier", "c-signals"),
        ("description:fourier", "d-waves"),
        ("license:mit", "b-fourier c-signals d-waves"),
        ("license:(MIT OR Apache-2.0) fourier", "b-fourier c-signals d-waves"),
        ("fourier -license:mit", "a-fast-fourier"),
        ("language:java", "b-fourier"),
        ("mapping:cff", "d-waves e-uber"),
        ('author:"José Müller"', "d-waves e-uber"),
        ('author:"jose muller" -language:c', "e-uber"),
        ("origin:https://git.example/b*", "b-fourier"),
        # Accents, and words of other texts.
        ("uber grosse", "e-uber"),
        ("Über-Größe", "e-uber"),
        ("NAÏVE cafe", "e-uber"),
        ("lovelace", "d-waves"),
        ("ada@x.example", "d-waves"),
        ("zenodo.77", "f-bare"),
        ("nothing", ""),
        ("*", ALL),
        # The trap of spec 8.1: context and type are no texts.
        ("SoftwareSourceCode", ""),
        ("Person", ""),
        ("w3id.org", ""),
        ("codemeta", ""),
    ],
)
def test_hits_come_tier_by_tier(filled: SearchIndex, text: str, expected: str) -> None:
    assert names(filled, text) == expected
    assert count_hits(filled, SoftwareQuery(tree_of(text))) == len(expected.split())


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"license": ["mit"]}, "b-fourier c-signals d-waves"),
        ({"license": ["Apache-2.0", "GPL-3.0-only"]}, "d-waves"),
        ({"license": ["MIT"], "mapping": ["npm", "cff"]}, "c-signals d-waves"),
        ({"language": ["rust"], "author": ["ADA LOVELACE"]}, "d-waves"),
        ({"language": []}, "b-fourier a-fast-fourier c-signals d-waves"),
    ],
)
def test_filters_choose_values_of_facets(
    filled: SearchIndex, filters: dict[str, list[str]], expected: str
) -> None:
    assert names(filled, "fourier", filters=filters) == expected


def test_facets_count_all_hits(filled: SearchIndex) -> None:
    query = SoftwareQuery(tree_of("fourier"), limit=1)
    assert facets_of(filled, query, FACETS) == {
        "license": [("MIT", 3), ("Apache-2.0", 1)],
        "language": [("C", 1), ("Java", 1), ("Rust", 1)],
        "mapping": [("npm", 3), ("cff", 1), ("maven", 1)],
        "author": [("Ada Lovelace", 1), ("José Müller", 1)],
    }
    filtered = SoftwareQuery(tree_of("fourier"), {"mapping": ["cff"]})
    assert facets_of(filled, filtered, ["mapping"]) == {"mapping": [("cff", 1), ("npm", 1)]}


@pytest.mark.parametrize("text", ["fourier", "*", "license:mit", "fou*"])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_pages_go_on_where_the_last_one_ended(filled: SearchIndex, text: str, size: int) -> None:
    tree = tree_of(text)
    found: list[str] = []
    after = None
    while True:
        hits, key = search_page(filled, SoftwareQuery(tree, limit=size, after=after))
        found += (hit.document.text("origin") for hit in hits)
        if key is None:
            break
        assert len(hits) == size
        after = PageKey.read(key)
    assert " ".join(each.removeprefix(url("")) for each in found) == names(filled, text, limit=100)


@pytest.mark.parametrize("key", ["", "1", "9:x", "x:y", "-1:x", "1:", "1:\x00"])
def test_a_key_that_is_none_is_an_error(key: str) -> None:
    with pytest.raises(QueryError, match="not the key of a page"):
        PageKey.read(key)


@pytest.mark.parametrize(
    ("terms", "expected"),
    [
        (["FOURIER"], 4),
        (["fast", "Fourier"], 2),
        (["fast fourier", "transform"], 1),
        (["fourier OR waves"], 0),
        (["-fast"], 2),
        ([], 0),
        ([""], 0),
        (["!!"], 0),
        (["fourier", "!!"], 4),
        (["\x00 \ud800"], 0),
    ],
)
def test_a_conjunction_has_plain_words_that_must_all_be_there(
    filled: SearchIndex, terms: list[str], expected: int
) -> None:
    """The traps of spec 8.1: an empty conjunction and terms without words find nothing."""
    query = SoftwareQuery(conjunction(terms))
    hits, key = search_page(filled, query)
    assert (len(hits), count_hits(filled, query), key) == (expected, expected, None)
    if not expected:
        assert facets_of(filled, query, ["license"]) == {"license": []}


def test_an_origin_is_one_hit_with_all_that_is_known_of_it(index: SearchIndex) -> None:
    """The traps of spec 8.1: two rows, two hits; extrinsic rows are not searchable."""
    both = intrinsic("x", "npm", name="wave", keywords=["sea"])
    rows = (
        stated("x", name="other/wave", keywords=["sea", "surf"], description="Breakers."),
        stated("x", trusted=False, description="Spam."),
    )
    only_stated = OriginMetadata(url("y"), None, (stated("y", name="surf"),))
    fill(index, OriginMetadata(both.url, both.intrinsic, rows), only_stated)
    assert names(index, "surf") == "y x"
    assert names(index, "breakers") == "x"
    assert names(index, "spam") == ""
    assert names(index, "mapping:gitea") == "x y"


def test_a_hit_shows_values_as_they_are_written(filled: SearchIndex) -> None:
    (hit,), _ = search_page(filled, SoftwareQuery(tree_of("uber")))
    assert hit.values() == {
        "origin": url("e-uber"),
        "match": "name",
        "name": "Über-Größe",
        "description": "naïve café",
        "mapping": ["cff"],
        "author": ["José Müller"],
        "head": "swh:1:rev:1",
    }


def test_any_value_of_any_type_can_be_indexed(index: SearchIndex) -> None:
    odd: list[Any] = [
        {"name": ["a", {"@value": "b"}, 7, None], "license": {"type": "CreativeWork", "name": "L"}},
        {"author": {"@list": [ADA]}, "keywords": {"x": 1}, "version": 3},
        {"name": "x" * 50_000, "keywords": ["k" * 5000] * 200, "other": {"a": [{"b": "deep"}]}},
    ]
    fill(index, *(intrinsic(f"{n}", **terms) for n, terms in enumerate(odd)))
    assert names(index) == "0 1 2"
    assert (names(index, "a b"), names(index, "license:l"), names(index, "deep")) == ("0", "0", "2")
    assert names(index, 'author:"Ada Lovelace"') == "1"
