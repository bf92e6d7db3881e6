"""Items with any nested elements, made by hypothesis: none of them is a field."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.feeds.documents import reading, rss
from tests.news.syndication.test_wild_feeds import CONTAINERS, NESTED_RSS, OWN_RSS, is_own

TREES = st.recursive(
    st.sampled_from(["", "text", "<br/>", "<![CDATA[<title>x</title>]]>", NESTED_RSS]),
    lambda inner: st.builds(
        lambda name, parts: f"<{name} a='b'>{''.join(parts)}</{name}>",
        st.sampled_from([*CONTAINERS, "title2", "item2", "div", "p"]),
        st.lists(inner, min_size=1, max_size=3),
    ),
    max_leaves=6,
).filter(lambda tree: tree.startswith("<") and not tree.startswith(("<!", "<br", "<title>")))


@settings(max_examples=300, deadline=None)
@given(st.permutations([*OWN_RSS.values()]), st.lists(TREES, min_size=1, max_size=4), st.data())
def test_of_any_nested_elements_in_any_place_none_is_a_field(
    own: list[str], trees: list[str], data: st.DataObject
) -> None:
    parts = data.draw(st.permutations([*own, *trees]))
    (entry,) = reading(rss(f"<item>{''.join(parts)}</item>")).entries
    assert is_own(entry)
