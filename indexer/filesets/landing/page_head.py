"""The head of an HTML page: its <meta> and <link> elements, and its JSON-LD.

Pages without a <head>, and broken ones, are read too: up to <body>, and at most 1 MiB of markup.
"""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from indexer.news.syndication.markup import attributes, head_tags
from indexer.text.decoding.texts import head_text

HEAD = 1 << 20

# All repetitions are bounded: a page can't make a search take the square of its length.
_SCRIPT = re.compile(r"<script\b([^<>]{0,2000})>", re.IGNORECASE)
_SCRIPT_END = re.compile(r"</script", re.IGNORECASE)
_JSON_LD = re.compile(r"""\btype\s{0,9}=\s{0,9}["']?application/ld\+json\b""", re.IGNORECASE)
_AROUND = re.compile(r"\A(?:<!--|(?://\s{0,9})?<!\[CDATA\[)|(?:-->|(?://\s{0,9})?\]\]>)\Z")
_DATA_FILE = re.compile(r"<code[^<>]{0,99}>\s{0,99}([^<\s]{1,300}/access/datafile/[^<\s]{1,300})")
_MAX_DOCUMENTS = 100


@dataclass(frozen=True, slots=True)
class PageHead:
    """`metas` and `links` have the attributes of each element; `json_ld` has objects only.

    `data_file`: the URL of the file that a file page of Dataverse shows in its body.
    """

    metas: list[dict[str, str]] = field(default_factory=list)
    links: list[dict[str, str]] = field(default_factory=list)
    json_ld: list[dict[str, Any]] = field(default_factory=list)
    data_file: str = ""


def page_head(body: bytes) -> PageHead:
    """The head of a page; an empty one if the bytes are no text."""
    text = head_text(body[:HEAD])
    found = _DATA_FILE.search(text)
    head = PageHead(json_ld=list(_json_ld(text)), data_file=found[1] if found else "")
    for token in head_tags(text):
        if token.value == "meta":
            head.metas.append(attributes(token))
        elif token.value == "link":
            head.links.append(attributes(token))
    return head


def _json_ld(text: str) -> Iterator[dict[str, Any]]:
    """The objects of all JSON-LD scripts of a page: also those in a list, or in a `@graph`."""
    found: list[Any] = []
    for script in _scripts(text):
        with suppress(ValueError, RecursionError):
            found.append(json.loads(_AROUND.sub("", script.strip())))
    for count in range(_MAX_DOCUMENTS):
        if count >= len(found):
            return
        match found[count]:
            case list() as several:
                found.extend(several)
            case dict() as one:
                graph = one.get("@graph")
                found.extend(graph if isinstance(graph, list) else [])
                yield one


def _scripts(text: str) -> Iterator[str]:
    """The contents of the scripts with JSON-LD."""
    at = 0
    while start := _SCRIPT.search(text, at):
        end = _SCRIPT_END.search(text, start.end())
        if end is None:
            return
        if _JSON_LD.search(start[1]):
            yield text[start.end() : end.start()]
        at = end.end()
