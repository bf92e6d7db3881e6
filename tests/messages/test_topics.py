"""Topic patterns: which keys a binding matches, and whether two patterns have one in common."""

from collections.abc import Sequence
from functools import reduce
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from indexer.messages.topics import matches, overlap
from tests.each_row import each_row

KEYS = ["", "a", "b", "a.b", "a.b.c", "b.a", "a..c", "a.", ".", "default", "*", "#"]
PATTERNS = ["", "a", "*", "#", "a.*", "a.#", "#.a", "*.*", "a.#.c", "#.*", "a.*.c", "*.#.*"]


@each_row(
    ("pattern", "matching"),
    [
        ("default", {"default"}),
        ("#", set(KEYS)),
        ("*", {"a", "b", "default", "*", "#"}),
        ("", {""}),
        ("a.*", {"a.b", "a."}),
        ("a.#", {"a", "a.b", "a.b.c", "a..c", "a."}),
        ("#.a", {"a", "b.a"}),
        ("*.*", {"a.b", "b.a", "a.", "."}),
        ("a.#.c", {"a.b.c", "a..c"}),
        ("a.*.c", {"a.b.c", "a..c"}),
        ("#.#", set(KEYS)),
        ("#.*", set(KEYS) - {""}),
        ("A", set()),
    ],
)
def test_a_pattern_matches_these_keys(pattern: str, matching: set[str]) -> None:
    assert {key for key in KEYS if matches(pattern, key)} == matching


word = st.sampled_from(["a", "b", "c"])


@given(st.lists(word, max_size=5), st.data())
def test_a_key_matches_itself_with_words_replaced(
    words: Sequence[str], data: st.DataObject
) -> None:
    pattern = [data.draw(st.sampled_from([word, "*"])) for word in words]
    cut = slice(*sorted(data.draw(st.tuples(*[st.integers(0, len(words))] * 2))))
    assert matches(".".join(pattern), ".".join(words))
    pattern[cut] = ["#"]
    assert matches(".".join(pattern), ".".join(words))


@given(st.lists(word | st.sampled_from("*#"), max_size=6), st.lists(word, max_size=6))
def test_matching_agrees_with_an_automaton(pattern: Sequence[str], words: Sequence[str]) -> None:
    """A second implementation: the set of places in the pattern that can be reached."""

    def closure(places: set[int]) -> set[int]:
        more = {p + 1 for p in places if p < len(pattern) and pattern[p] == "#"}
        return places if more <= places else closure(places | more)

    def step(places: set[int], word: str) -> set[int]:
        on = {p + 1 for p in places if p < len(pattern) and pattern[p] in ("*", word)}
        return closure(on | {p for p in places if p < len(pattern) and pattern[p] == "#"})

    reached = reduce(step, words, closure({0}))
    assert matches(".".join(pattern), ".".join(words)) == (len(pattern) in reached)


@each_row(
    ("one", "other", "expected"),
    [
        ("a.b", "a.b", True),
        ("a.b", "a.c", False),
        ("a.*", "*.b", True),
        ("a.*", "b.#", False),
        ("#", "a", True),
        ("#", "", True),
        ("*", "", False),
        ("*.a", "a.#.b", False),
        ("a.#", "#.b", True),
        ("a.#.b", "*", False),
        ("harvest.status.*.*", "harvest.start.#", False),
        ("harvest.#.flickr.*", "harvest.start.*.flickr_user", True),
    ],
)
def test_patterns_overlap_if_a_key_matches_both(one: str, other: str, expected: bool) -> None:
    assert overlap(one, other) is expected
    assert overlap(other, one) is expected


pattern = st.lists(st.sampled_from(["a", "b", "*", "#"]), max_size=3).map(".".join)
ALL_KEYS = [".".join(words) for size in range(7) for words in product("ab", repeat=size)]
"""Two patterns of three words that overlap have one of these in common."""


@given(pattern, pattern)
def test_overlapping_agrees_with_matching(one: str, other: str) -> None:
    common = any(matches(one, key) and matches(other, key) for key in ALL_KEYS)
    assert overlap(one, other) is common
