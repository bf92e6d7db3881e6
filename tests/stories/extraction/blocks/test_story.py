"""The text of a story by its blocks, and the doubts."""

from lxml import html

from indexer.stories.extraction.blocks.story import ReadText, read
from tests.each_row import each_row
from tests.stories.pages import article

A, B, C = (article().replace("council", name) for name in ("mayor", "board", "choir"))


def reading(body: str, title: str = "") -> ReadText:
    head = f"<head><title>{title}</title></head>"
    return read(html.document_fromstring(f"<html>{head}<body>{body}</body></html>"))


@each_row(
    ("body", "text"),
    [
        (f"<h1>Title</h1><p>{A}</p>", A),
        (f"<nav>{B}</nav><p>{A}</p><p>{C}</p>", f"{A}\n{C}"),
        # Never the story: more than half of all good text.
        (f"<div class='sidebar'><p>{A}</p><p>{B}</p></div><div>{C}</div>", f"{A}\n{B}\n{C}"),
        (f"<article><p>{A}</p><aside><p>{B}</p></aside><p>{C}</p></article>", f"{A}\n{C}"),
        # The title stands in an article, so that the longer part is not the story.
        (f"<article><h1>T</h1><p>{A}</p></article><div class='comments'><p>{B}<p>{C}</div>", A),
        # A hint is believed if there is enough text; with its siblings.
        (f"<div><p>{A}</p></div><div class='entry-content'><p>{B}</p></div>", B),
        (f"<div itemprop='articleBody'>too short</div><div><p>{A}</p></div>", A),
        (
            f"<div><div class='article-body'>{A}</div><div>{'ad ' * 9}</div>"
            f"<div class='article-body'>{B}</div></div>",
            f"{A}\n{B}",
        ),
        (
            f"<article><h1>T</h1><p class='standfirst'>{B}</p><p>{C}</p>"
            f"<div class='entry-content'>{A}</div></article>",
            f"{B}\n{A}",
        ),
        (f"<p>{A}</p><table><tr><td>1<td>2<tr><td>3<td>4</table><p>{B}</p>",
         f"{A}\n1 | 2\n3 | 4\n{B}"),
        # Titles, repeats, noise, lists of links and tails.
        (f"<div>Title</div><p>{A}</p><p>{A}</p><p>Advertisement</p><h2>Sub</h2><p>{B}</p>",
         f"{A}\nSub\n{B}"),
        # A main heading within the text is a subheading.
        (f"<h1>Title of it</h1><p>{A}</p><h1>Sub</h1><p>{B}</p><h1>Title of it</h1><p>{C}</p>",
         f"{A}\nSub\n{B}\n{C}"),
        (f"<p>{A}</p><p><a href=/>{B[:80]}</a></p><p>{C}</p><h3>More</h3><p>Tags</p>", f"{A}\n{C}"),
        ("", ""),
    ],
)  # fmt: skip
def test_the_text_of_a_story(body: str, text: str) -> None:
    assert reading(body or "<br>", "Title | Site").text == text


@each_row(
    ("body", "doubts"),
    [
        (f"<p>{A}</p>", []),
        (f"<p>{A[:290]}</p>", ["290 bytes of good text are few"]),
        (f"<div class='entry-content'><p>{A}</div><div><p>{B}<p>{C[:300]}</div>",
         ["were kept", "the page has"]),
        (f"<article><p>{A[:400]}</p><figure>{B}</figure></article><p>{C[:300]}",
         ["were left out inside", "the page has"]),
    ],
)  # fmt: skip
def test_doubts_have_reasons(body: str, doubts: list[str]) -> None:
    found = reading(body).doubts
    assert len(found) == len(doubts), found
    assert all(reason in each for reason, each in zip(doubts, found, strict=True)), found
