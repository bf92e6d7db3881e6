"""The blocks, containers and ranges of a page."""

from lxml import html

from indexer.stories.extraction.blocks.walk import Page, walk
from tests.each_row import each_row


def page(body: str) -> Page:
    return walk(html.document_fromstring(f"<html><head><title>x</title></head>{body}</html>"))


@each_row(
    ("body", "blocks"),
    [
        ("<p>One</p><p>two\n  three</p>", ["paragraph One", "paragraph two three"]),
        ("<div>a <b>b</b><p>c</p>d</div>", ["other a b", "paragraph c", "other d"]),
        ("a<br>b<br> <br>c", ["other a\nb", "other c"]),
        ("<h2>a</h2><ul><li>b<li><p>c</ul>", ["heading a", "list b", "paragraph c"]),
        ("<blockquote>a<p>b</blockquote>", ["quote a", "paragraph b"]),
        ("<table><tr><th>a<td>b</table>", ["cell a", "cell b"]),
        ("<dl><dt>a<dd>b</dl>", ["heading a", "list b"]),
        ("<pre>a\n  b</pre>", ["paragraph a\n  b"]),
        ("<p>a<script>b</script><!-- c -->d<svg><text>e</text></svg>", ["paragraph ad"]),
        ("<p> \n <img></p>", []),
    ],
)
def test_a_block_is_the_text_between_two_ends_of_a_line(body: str, blocks: list[str]) -> None:
    assert [f"{block.kind} {block.text}" for block in page(body).blocks] == blocks


@each_row(
    ("markup", "blocks"),
    [
        ("<title>x</title><article><p>One</article><div>two</div>", ["One", "two"]),
        ("<meta charset=utf-8><title>x</title><main>One<p>two", ["One", "two"]),
        ("<head><title>x</title><noscript>y</noscript></head><body><p>One", ["One"]),
    ],
)
def test_pages_may_have_no_tags_for_head_and_body(markup: str, blocks: list[str]) -> None:
    tree = html.document_fromstring(f"<!DOCTYPE html>{markup}")
    assert [block.text for block in walk(tree).blocks] == blocks


@each_row(
    ("body", "good"),
    [
        (f"<p>{'x' * 24}</p>", False),
        (f"<p>{'x' * 25}</p>", True),
        (f"<div>{'x' * 79}</div>", False),
        (f"<div>{'x' * 80}</div>", True),
        (f"<h2>{'x' * 99}</h2>", False),
        # Weights are bytes: a character of Chinese says as much as a short word.
        (f"<p>{'湖' * 9}</p>", True),
        (f"<p>{'x' * 20}<a href=/>{'x' * 20}</a></p>", True),
        (f"<p>{'x' * 20}<a href=/>{'x' * 21}</a></p>", False),
    ],
)
def test_good_text_is_long_and_has_few_links(body: str, good: bool) -> None:
    assert page(body).blocks[0].is_good is good


@each_row(
    ("body", "reasons"),
    [
        ("<nav>a</nav><footer>b</footer><p>c", ["nav", "footer"]),
        ("<div hidden>a</div><div style='Display: none'>b</div>", ["hidden"] * 2),
        ("<div aria-hidden=true>a</div><div aria-hidden=false>b</div>", ["hidden"]),
        ("<div class='comments'>a</div>", ["named comments"]),
        ("<article>a<article>b</article></article>", ["article in an article"]),
        ("<article class='post comments-open comments'>a</article>", []),
        ("<nav></nav>", []),
        # The end of a long name is not read: names are remembered.
        (f"<div class='{'x' * 300} comments'>a</div>", []),
    ],
)
def test_ranges_to_leave_out_have_reasons(body: str, reasons: list[str]) -> None:
    assert [each.reason for each in page(body).left_out] == reasons


def test_containers_of_good_text_know_their_blocks_and_their_hints() -> None:
    text = "a text that is long enough, in an element of any kind, because it has eighty bytes"
    found = page(
        f"<main>a<article><div class='entry-content'>{text}</div></article><ul><li>menu</ul>"
        f"<div itemprop='articleBody'>{text}</div></main>"
    )
    shown = [(each.tag, each.first, each.end, each.hint) for each in found.containers]
    assert shown == [
        ("div", 1, 2, 3), ("article", 1, 2, 2), ("div", 3, 4, 4), ("main", 0, 4, 1),
        ("body", 0, 4, 0), ("html", 0, 4, 0),
    ]  # fmt: skip
