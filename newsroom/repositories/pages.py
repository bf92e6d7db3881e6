"""Landing pages: HTML for people, with the metadata in the head that the platforms give."""

import json
from collections.abc import Iterable
from html import escape
from typing import Any

from newsroom.repositories.dataset import Dataset
from newsroom.repositories.exchange import HTML, Answer, Headers, answer

Metas = Iterable[tuple[str, str]]


def landing_page(
    dataset: Dataset,
    url: str,
    site: str,
    *,
    generator: str = "",
    metas: Metas = (),
    schema: dict[str, Any] | None = None,
    headers: Headers | None = None,
) -> Answer:
    """The page of a dataset. `schema` is an object of schema.org, put into the page as JSON-LD."""
    head = [
        f"<title>{escape(dataset.title)} | {site}</title>",
        *(_meta(name, value) for name, value in [*_highwire(dataset), *metas] if value),
        f'<meta property="og:site_name" content="{site}">',
        f'<link rel="canonical" href="{escape(url)}">',
    ]
    if generator:
        head.append(_meta("generator", generator))
    if schema:
        text = json.dumps(schema, ensure_ascii=False).replace("</", "<\\/")
        head.append(f'<script type="application/ld+json">{text}</script>')
    rows = "".join(
        f"<tr><td>{escape(file.path)}</td><td>{file.size:,} bytes</td></tr>\n"
        for file in dataset.files[:50]
    )
    body = f"<h1>{escape(dataset.title)}</h1>\n{dataset.description}\n<table>\n{rows}</table>"
    lines = "\n".join(head)
    return answer(
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n{lines}\n</head>\n'
        f"<body>\n<header>{site}</header>\n<main>\n{body}\n</main>\n</body>\n</html>\n",
        HTML,
        headers=headers,
    )


def gone_page(site: str, why: str) -> Answer:
    """The page of a record that was removed."""
    return answer(
        f"<!DOCTYPE html>\n<title>Gone | {site}</title>\n<h1>Gone</h1>\n<p>{escape(why)}</p>\n",
        HTML,
        410,
    )


def missing_page(site: str) -> Answer:
    """The page of an unknown URL."""
    return answer(f"<!DOCTYPE html>\n<title>{site}</title>\n<h1>Page not found</h1>\n", HTML, 404)


def schema_org(dataset: Dataset, url: str, **others: Any) -> dict[str, Any]:
    """The dataset as an object of schema.org, without its files."""
    return {
        "@context": "http://schema.org",
        "@type": "Dataset",
        "@id": f"https://doi.org/{dataset.doi}" if dataset.doi else url,
        "identifier": f"https://doi.org/{dataset.doi}" if dataset.doi else url,
        "url": url,
        "name": dataset.title,
        "description": dataset.description,
        "creator": [{"@type": "Person", "name": name} for name in dataset.creators],
        "datePublished": dataset.date,
        "version": dataset.version,
        **others,
    }


def _highwire(dataset: Dataset) -> Metas:
    yield "citation_title", dataset.title
    for name in dataset.creators:
        yield "citation_author", name
    yield "citation_publication_date", dataset.date.replace("-", "/")
    yield "citation_doi", dataset.doi
    yield "description", dataset.description


def _meta(name: str, value: str) -> str:
    return f'<meta name="{name}" content="{escape(value)}">'
