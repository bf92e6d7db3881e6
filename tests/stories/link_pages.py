"""Pages of links, made of the newsroom's stories: lists, and texts that only have many links."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from html import escape

from newsroom.newspapers import newspapers
from tests.paths import DATA

_LANGUAGES = [
    block.splitlines()
    for block in (DATA / "pages" / "menus.txt").read_text(encoding="utf-8").strip().split("\n\n")
]
MENUS = {language: menu.split() for language, menu, _ in _LANGUAGES}
"""The links of a menu, by language."""

COPYRIGHT = {language: line for language, _, line in _LANGUAGES}
"""The last line of a page, by language."""

_SENTENCE = re.compile(r"[^.!?。！？।؟]+[.!?。！？।؟]+")


def lists(language: str) -> Iterator[tuple[str, str]]:
    """The names and the markup of pages that are lists of links."""
    menu, headlines = MENUS[language], _headlines(language)
    listed = f"<ul>{_all('<li>{}</li>', menu)}</ul>"
    yield "menu", _page(listed)
    yield "menu on a line", _page(f"<p>{' | '.join(map(_link, menu))}</p>")
    yield "menu without spaces", _page(f"<div>{_all('{}', menu)}</div>")
    yield "menu in a table", _page(f"<table>{_all('<tr><td>{}</td></tr>', menu)}</table>")
    yield "menu with a copyright", _page(f"{listed}<p>{COPYRIGHT[language]}</p>")
    yield "front page", _page(_all("<h2>{}</h2>", headlines), menu)
    dated = _all("<li>{} <span>2026-11-20</span></li>", headlines)
    yield "archive with dates", _page(f"<ul>{dated}</ul>", menu)
    yield "archive with times", _page(_all("<p>{}</p><p>20.11.2026 14:05</p>", headlines), menu)


def texts(language: str) -> Iterator[tuple[str, str]]:
    """The names and the markup of pages with many links that are texts."""
    menu, headlines = MENUS[language], _headlines(language)
    sentences, paragraphs = _sentences(language), _paragraphs(language)
    pairs = list(zip(headlines, sentences[2:], strict=False))
    story = "".join(f"<p>{text}</p>" for text in paragraphs[:4])
    yield "story between menus", _page(f"{_nav(menu)}<article>{story}</article>", menu)
    live = "".join(f"<p><b>10:05</b> {text} {_link(title)}</p>" for title, text in pairs[:8])
    yield "live blog", _page(f"<article>{live}</article>", menu)
    items = "".join(f"<li>{_link(title)} – {text}</li>" for title, text in pairs)
    yield "round-up", _page(f"<article><p>{sentences[0]}</p><ul>{items}</ul></article>", menu)
    sources = _all("<li>{} (Reuters)</li>", headlines[:8])
    begin = " ".join(sentences[:2])
    yield "round-up of titles", _page(f"<article><p>{begin}</p><ul>{sources}</ul></article>", menu)
    linked = "".join(
        f"<p>{' '.join(_link(w) if i % 3 else w for i, w in enumerate(text.split()))}</p>"
        for text in paragraphs[:4]
    )
    if language not in ("ja", "zh"):  # their words have no spaces
        yield "most words are links", _page(f"<article>{linked}</article>", menu)


def _page(body: str, menu: Sequence[str] = ()) -> str:
    return f"<html><head><title>A page</title></head><body>{_nav(menu)}{body}</body></html>"


def _nav(menu: Sequence[str]) -> str:
    return f"<nav><ul>{_all('<li>{}</li>', menu)}</ul></nav>" if menu else ""


def _all(form: str, texts: Sequence[str]) -> str:
    return "".join(form.format(_link(text)) for text in texts)


def _link(text: str) -> str:
    return f'<a href="/some/page.html">{escape(text)}</a>'


@cache
def _stories() -> Mapping[str, list[tuple[str, Sequence[str]]]]:
    found: dict[str, list[tuple[str, Sequence[str]]]] = {}
    for story in newspapers().stories:
        found.setdefault(story.language, []).append((story.title, story.paragraphs))
    return found


def _headlines(language: str) -> list[str]:
    """Fourteen headlines; the newsroom has fewer in some languages, which are repeated."""
    return ([title for title, _ in _stories()[language]] * 5)[:14]


def _paragraphs(language: str) -> list[str]:
    return [text for _, paragraphs in _stories()[language] for text in paragraphs]


def _sentences(language: str) -> list[str]:
    return [match[0] for text in _paragraphs(language) for match in _SENTENCE.finditer(text)]
