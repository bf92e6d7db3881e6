"""Reading the rows of tables of URLs, in many dialects, with faults."""

from indexer.text.tables.rows import (
    BLANK,
    MAX_LINE,
    MAX_ROW_LINES,
    MISQUOTED,
    NO_URL,
    NUL,
    TOO_LONG,
    UNCLOSED,
    BadRow,
    Layout,
    url_cells,
)
from tests.each_row import each_row

A, B, C = "http://a.example/1", "https://b.example/2?x=1;y=2", "http://c.example/3"


def cells(*lines: str | None, layout: Layout | None = None) -> list[str | BadRow]:
    """Return the URLs of a table."""
    return list(url_cells(lines, layout or Layout()))


@each_row(
    ("lines", "found"),
    [
        ([A, f"{B},x,y", f" {C} "], [A, B, C]),
        ([f'"{A}",x', f'{B},"a ""quoted"" word"'], [A, B]),
        (["", A, "   ", ",x", B], [BLANK, A, BLANK, NO_URL, B]),
        ([f"{A}\0", B, f'{C},"\0'], [NUL, B, NUL]),
        ([None, A], [TOO_LONG, A]),
        # A quote that isn't closed, in the URL and elsewhere.
        ([f'"{A}', B, C], [UNCLOSED, B, C]),
        ([f'{A},"open', B, C], [UNCLOSED, B, C]),
        ([f'{A},"open', f'{B},"closed"', C], [UNCLOSED, B, C]),
        ([f'{A},"open', f"{B},x", f'{C},an end"'], [UNCLOSED, B, C]),
        ([f'{A},x"y', B], [A, B]),
        ([f'{A},"x"y', B], [MISQUOTED, B]),
        ([f'"{A}"x', B], [MISQUOTED, B]),
        ([f'{A},"open', None, B], [UNCLOSED, TOO_LONG, B]),
        ([f'{A},"open at the end'], [UNCLOSED]),
        # Line breaks in a field are none of the table.
        ([f'{A},"one', "two", 'three",x', B], [A, B]),
        ([f'{A},"one', C, 'three",x', B], [A, B]),
        ([f'{A},"{"x" * (MAX_LINE + 1)}"', B], [MISQUOTED, B]),
    ],
)
def test_a_broken_row_costs_one_row(lines: list[str | None], found: list[str | BadRow]) -> None:
    assert cells(*lines) == found


def test_a_row_of_too_many_lines_is_a_bad_row() -> None:
    found = cells(f'{A},"one', *["more"] * (MAX_ROW_LINES + 1), '"', B)
    assert (found[0], found[-1]) == (UNCLOSED, B)


def test_the_header_names_the_column_and_is_no_row() -> None:
    lines = ["id,url", f"1,{A}", "2", f"3,{B}"]
    assert cells(*lines, layout=Layout(",", 1, above=1)) == [A, NO_URL, B]


def test_a_list_has_blank_lines_and_comments_that_are_no_rows() -> None:
    lines = ["# urls", "", f" {A} ", None, "http://a.example/1,2,3"]
    assert cells(*lines, layout=Layout("")) == [A, TOO_LONG, "http://a.example/1,2,3"]


def test_a_quote_stays_open_no_longer_than_to_the_next_whole_row() -> None:
    lines = ["id,url,title", f'1,{A},"open', f"2,{B},x", f'3,{C},"']
    found = cells(*lines, layout=Layout(",", 1, above=1))
    assert found == [UNCLOSED, B, UNCLOSED]
