"""Generated values for each reader: no exception escapes, and every value fits into a document."""

from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.software.readings.people import people_and_entities, people_last_first
from indexer.software.readings.repositories import npm_repositories
from indexer.software.readings.requirements import requirements
from indexer.software.rules.key_rule import ValueReader
from indexer.software.rules.property import Property
from indexer.software.syntax.tree import Tree
from indexer.software.translation.document import canonical, document
from indexer.software.translation.term_readers import READERS
from tests.each_row import each_row
from tests.software.readings.reading import reading

TYPES = ("npm", "pypi", "deb", "maven", "nuget", "composer")
READING: dict[str, ValueReader] = {
    **READERS,
    **{f"requirements of {each}": requirements(each) for each in TYPES},
    **{"cff": people_and_entities, "zenodo": people_last_first, "npm": npm_repositories},
}

PIECES = [
    *("MIT", "GPL", "v3", "+", " or ", " and ", "/", "|", "(", ")", "<", ">", "[", "]", '"', ","),
    *(
        ";",
        ":",
        "@",
        "a",
        "Roe",
        "Jane",
        " ",
        "\n",
        "#",
        "://",
        "https://a.example",
        "git@",
        "scm:",
    ),
    *(
        "a@a.example",
        "2020",
        "-01",
        "T00:00",
        "==",
        ">=1",
        "extra",
        "0000-0002-1825-0097",
        "é",
        "\0",
    ),
]
TEXTS = st.text(max_size=20) | st.lists(st.sampled_from(PIECES), max_size=8).map("".join)
KEYS = TEXTS | st.sampled_from(
    ["name", "type", "url", "email", "version", "id", "orcid", "affiliation", "file", "git", "role"]
)
SCALARS = TEXTS | st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.floats()
TREES: st.SearchStrategy[Tree] = st.recursive(
    SCALARS,
    lambda below: st.lists(below, max_size=4) | st.dictionaries(KEYS, below, max_size=4),
    max_leaves=12,
)


@each_row("name", sorted(READING))
def test_a_reader_reads_any_value(name: str) -> None:
    @settings(max_examples=60, deadline=None)
    @given(TREES)
    def check(value: Tree) -> None:
        found = reading(READING[name], value)
        assert all(place.startswith("/k") for place in found.places)
        properties = (Property("author", each, "/k", "rule") for each in found.values)
        assert canonical(document(properties))

    check()


HOSTILE = [
    "<",
    "(",
    "[",
    '"',
    ",",
    ";",
    "@",
    "a@",
    ":",
    "/",
    "http://",
    "http://a@",
    " ",
    "\n",
    " or ",
]


@each_row(
    "mark", [*HOSTILE, " and ", "MIT/", "GPL v", ".0", "1.", "a.", "> ", "a <a@a>", "-1", "||"]
)
def test_texts_of_one_mark_repeated_are_read_in_linear_time(mark: str) -> None:
    text = mark * (50_000 // len(mark))
    shapes: list[Tree] = [text, [f"a{text}a"], {"name": text, "url": text, text: text}]
    for reader in READING.values():
        assert all(reading(reader, value) for value in shapes)
