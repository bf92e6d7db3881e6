"""Values of any shape are merged: no exception, the same in any order, none lost silently."""

from hypothesis import given
from hypothesis import strategies as st

from indexer.software.merging.merge import merge
from indexer.software.syntax.tree import Tree
from tests.software.merging.stating import manifest

KEYS = ["type", "id", "name", "givenName", "familyName", "email", "identifier", "version", "@value"]
TEXTS = st.text(max_size=6) | st.sampled_from(
    ["a@x.example", "https://orcid.org/0000-0002-1825-0097", "http://x", "2024-01-01", "Jane Doe"]
)
VALUES: st.SearchStrategy[Tree] = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4)
    ),
    max_leaves=6,
)
TERMS = ["id", "type", "name", "license", "author", "maintainer", "keywords", "dateModified", "x:y"]
STATED = st.lists(st.tuples(st.sampled_from(TERMS), VALUES), max_size=5)


@given(st.lists(STATED, max_size=3))
def test_values_of_any_shape_are_merged_in_any_order(stated: list[list[tuple[str, Tree]]]) -> None:
    manifests = [manifest(f"{n}.json", 1 + n, *values) for n, values in enumerate(stated)]
    merged = merge(manifests)
    assert repr(merge(manifests[::-1])) == repr(merged)
    assert bool(merged.document()) == any(stated)


@given(st.lists(STATED, max_size=3))
def test_every_stated_value_is_a_source_of_a_value_or_of_a_conflict(
    stated: list[list[tuple[str, Tree]]],
) -> None:
    merged = merge(manifest(f"{n}.json", 1 + n, *values) for n, values in enumerate(stated))
    found = [*merged.values, *(one for each in merged.conflicts for one in each.others)]
    sources = [(each.path, repr(each.value)) for value in found for each in value.stated]
    for number, values in enumerate(stated):
        for _, value in values:
            assert (f"{number}.json", repr(value)) in sources
