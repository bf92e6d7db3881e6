"""The labelled pages, and their ground truth."""

import json
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from newsroom.labelled.material import Drawn, Material, materials
from newsroom.labelled.noise import NOISE
from newsroom.labelled.shapes import SHAPES
from newsroom.labelled.systems import SYSTEMS

LAYOUTS = {layout.__name__: layout for layout in (*SYSTEMS, *SHAPES, *NOISE)}

EACH = 4
"""The number of languages in which each layout is filled."""

DATES = (
    '<meta property="article:published_time" content="{}T09:30:00Z">',
    '<meta name="date" content="{}">',
    '<script type="application/ld+json">{{"@type": "NewsArticle", "datePublished": "{}"}}</script>',
)
"""The places of the date, by turns."""


class LabelledPage(NamedTuple):
    """A page, and the line of the ground truth for it."""

    html: bytes
    truth: dict[str, Any]


def labelled_pages() -> Iterator[LabelledPage]:
    """All labelled pages; the same ones at each call."""
    material = materials()
    for name, layout in LAYOUTS.items():
        for _ in range(EACH):
            m = next(material)
            drawn = layout(m)
            yield LabelledPage(_page(m, drawn).encode(), _truth(m, drawn, name))


def write_pages(directory: Path) -> None:
    """Write the pages and `truth.jsonl` to a directory, which is made if needed."""
    directory.mkdir(parents=True, exist_ok=True)
    with (directory / "truth.jsonl").open("w", encoding="utf-8") as truths:
        for page in labelled_pages():
            (directory / page.truth["file"]).write_bytes(page.html)
            truths.write(json.dumps(page.truth, ensure_ascii=False) + "\n")


def _truth(m: Material, drawn: Drawn, layout: str) -> dict[str, Any]:
    return {
        "file": f"{layout}-{m.story.language}-{m.number}.html",
        "url": f"{m.url}?from=feed",
        "class": layout,
        "text": "\n".join(drawn.text),
        "title": m.story.title,
        "date": m.date,
        "language": m.story.language,
        "canonical_url": m.url,
    }


def _page(m: Material, drawn: Drawn) -> str:
    title = escape(m.story.title)
    rtl = ' dir="rtl"' if m.story.language == "ar" else ""
    date = DATES[m.number % len(DATES)].format(m.date)
    return f"""<!DOCTYPE html>
<html lang="{m.story.language}"{rtl}><head><meta charset="utf-8">
<title>{title}</title><meta property="og:title" content="{title}">
<link rel="canonical" href="{m.url}">{date}{drawn.head}
<style>body {{ color: black }}</style></head>
<body>{drawn.body}<script>var page = {{"id": {m.number}}};</script></body></html>
"""
