"""The query language: any text."""

from hypothesis import given
from hypothesis import strategies as st

from indexer.errors import QueryError
from indexer.search.language.query import parse
from indexer.search.language.tree import (
    depth,
)
from indexer.stories.indexing.fields import STORY_FIELDS
from tests.search.schemas import DATASETS

PIECES = ["a", "b*", '"', "(", ")", " ", " AND ", " OR ", "NOT ", "-", "title:", "date:", "[", "]"]
PIECES += ["2024", " TO ", "*", "\\", "url:", "中", "\u0301", "{", "~", "^2", ":", "“"]


PIECES += [
    "files:",
    "share:",
    "open:true",
    "licenses:",
    "-1",
    "0.5",
    " TO 3]",
    "99999999999999999999",
]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join) | st.text(max_size=40))
def test_any_text_is_a_tree_or_an_error_at_a_place_in_it(text: str) -> None:
    position = 0
    try:
        assert depth(parse(text, STORY_FIELDS)) < 30
        assert depth(parse(text, DATASETS)) < 30
    except QueryError as error:
        position = error.position or 0
    assert 0 <= position <= len(text)
