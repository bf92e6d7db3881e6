"""Requests in texts: DOIs, URLs, lines of JSON, lines of results that are to be tried again.

Spreadsheets and editors write lists with a byte order mark, CRLF, quotes, `doi:` before a DOI; our
own results are one JSON object a line, in which the request is one key.
"""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from indexer.errors import ConfigurationError
from indexer.filesets.landing.doi import doi_of
from indexer.filesets.request import DATASET, FILE_TYPE, BadRequest, IngestRequest
from indexer.text.unpacking import input_errors

MAX_LINE = 1 << 24
"""Bytes; a result with 10,000 files has a quarter of it."""

_LISTS = (".jsonl", ".ndjson", ".json")
_BOM = b"\xef\xbb\xbf"
_AROUND = "\"' \t,;"


def requests(inputs: Iterable[str]) -> Iterator[IngestRequest | BadRequest]:
    """The requests of all inputs; a line that is none is its BadRequest.

    Raises ConfigurationError for an input that is neither, InputError for an unreadable file.
    """
    for each in inputs:
        if each == "-":
            yield from requests_of(sys.stdin.buffer)
        elif each.lower().endswith(_LISTS) and "://" not in each:
            with input_errors(each), Path(each).open("rb") as file:
                yield from requests_of(file)
        else:
            yield request_of(each)


def is_dataset(text: str) -> bool:
    """Whether a text is a DOI or a web URL, and not the URL of a list."""
    is_url = text.lower().startswith(("http://", "https://"))
    is_list = text.lower().removesuffix(".gz").endswith(_LISTS)
    return bool(doi_of(text)) or (is_url and not is_list)


def request_of(text: str) -> IngestRequest:
    """The request for a DOI or a URL. Raises ConfigurationError for another text."""
    doi, is_url = doi_of(text), "://" in text
    given: dict[str, Any] = {"base_url": text if is_url else f"https://doi.org/{doi}"}
    if doi:
        given |= {"link_source": "doi", "link_source_id": doi, "ext_ids": {"doi": doi}}
    elif not is_url:
        raise ConfigurationError(f"{text!r} is no DOI, no URL, and no file that ends in .jsonl")
    return IngestRequest.of({"ingest_type": DATASET, **given})


def requests_of(file: BinaryIO) -> Iterator[IngestRequest | BadRequest]:
    """The request of each line that is not blank; of a result of one file there is none."""
    while line := file.readline(MAX_LINE):
        if len(line) == MAX_LINE and not line.endswith(b"\n"):
            _skip_line(file)
        line = line.removeprefix(_BOM).strip()
        if line and (found := _request(line)) is not None:
            yield found


def _request(line: bytes) -> IngestRequest | BadRequest | None:
    text = line.decode(errors="replace").strip(_AROUND)
    if is_dataset(text):
        return request_of(text)
    try:
        return IngestRequest.read(line)
    except BadRequest as error:
        return _again(error)


def _again(error: BadRequest) -> IngestRequest | BadRequest | None:
    """The request in a line of results. That of one file came with that of its dataset."""
    given = error.given.get("request")
    if "hit" not in error.given or not isinstance(given, dict):
        return error
    if given.get("ingest_type") == FILE_TYPE:
        return None
    try:
        return IngestRequest.of(given)
    except BadRequest as bad:
        return bad


def _skip_line(file: BinaryIO) -> None:
    """Skip the rest of a line that is too long to be a request; its beginning is no JSON."""
    while (rest := file.readline(MAX_LINE)) and not rest.endswith(b"\n"):
        pass
