"""Damages of OPML files: each is reported with its line, as feeds may be lost there."""

from indexer.feeds.registry.feed_spec import FeedProblem, FeedSpec
from indexer.feeds.registry.opml import read_opml
from indexer.feeds.registry.opml_damages import MOST
from tests.each_row import each_row
from tests.feeds.registry.test_opml import NESTED, VERSION_1, A, B

HEAD = "<?xml version='1.0'?>\n<opml version='2.0'>\n<body>\n"
END = "\n</body>\n</opml>\n"
OPEN = "a tag that does not end, or with a wrong quote"


def problems(text: str, size: int = 50) -> list[str]:
    """The problems of a text that arrives in small pieces."""
    found = read_opml(text[at : at + size] for at in range(0, len(text), size))
    return [str(each) for each in found if isinstance(each, FeedProblem)]


@each_row(
    ("text", "found"),
    [
        # Quotes that are missing, too many, or not escaped.
        (
            f'{HEAD}<outline text="A" xmlUrl="{A}\n<outline xmlUrl="{B}"/>{END}',
            [f'line 4: <outline text="A" xmlUrl="{A}: {OPEN}'],
        ),
        (
            f'{HEAD}<outline text="A xmlUrl="{A}"/>\n<outline xmlUrl="{B}"/>{END}',
            [f'line 4: <outline text="A xmlUrl="{A}"/>: {OPEN}'],
        ),
        (
            f'{HEAD}<outline\n text="5 < 6" xmlUrl="{A}"/>{END}',
            [f'line 4: <outline text="5: {OPEN}'],
        ),
        # Files that were cut off, within a tag and between two of them.
        (f'{HEAD}<outline text="A" xmlUrl="https://a.exa', None),
        (
            f'{HEAD}<outline xmlUrl="{A}"/>\n',
            ["line 5: the file ends before </opml>: it was cut off"],
        ),
        ("<?xml version='1.0'?>\n<opml ver", [f"line 2: <opml ver: {OPEN}"]),
        (
            f'{HEAD}<!-- old\n<outline xmlUrl="{A}"/>{END}',
            ["line 4: a comment that does not end"],
        ),
        (f"{HEAD}<![CDATA[\n\n{END}", ["line 4: a CDATA section that does not end"]),
        ("", ["no <opml> in it"]),
        # No damages.
        (VERSION_1, []),
        (NESTED, []),
        (f'{HEAD}<!-- <outline -->\n<outline xmlUrl="{A}" text="a > b & c"/> 1 < 2{END}', []),
        (f'<outline xmlUrl="{A}"/>', []),
        ("<opml/>", []),
    ],
)
def test_a_damage_is_reported_with_its_line(text: str, found: list[str] | None) -> None:
    if found is None:
        first, second = problems(text)
        assert first == f'line 4: <outline text="A" xmlUrl="https://a.exa: {OPEN}'
        assert second.startswith("line 4: the file ends before </opml>")
    else:
        assert problems(text) == found
        assert problems(text, 1) == found


def test_feeds_beside_a_damage_are_read() -> None:
    text = f'{HEAD}<outline xmlUrl="{A}\n<outline xmlUrl="{B}"/>{END}'
    assert [each for each in read_opml([text]) if isinstance(each, FeedSpec)] == [FeedSpec(B)]


def test_of_many_damages_the_first_are_reported() -> None:
    assert len(problems(HEAD + '<outline text="\n' * (MOST + 5) + END)) == MOST
