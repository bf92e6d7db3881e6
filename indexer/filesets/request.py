"""Requests for datasets (filesets.md 2): read from lines of JSON, or made of a DOI or a URL.

{"ingest_type": "dataset", "base_url": "https://doi.org/10.5281/zenodo.1", "link_source": "doi"}
"""

from collections.abc import Mapping
from typing import Any, Final, Self

import msgspec

from indexer.errors import FilesetError
from indexer.text.cleaning import clean

DATASET: Final = "dataset"
"""The only `ingest_type` of this family's requests."""

FILE_TYPE: Final = "dataset-file"
"""The `ingest_type` of the second result of a single file."""

MAX_QUOTED = 1600
"""The most characters of an unreadable line that its result quotes."""


class BadRequest(FilesetError):
    """A line that is no request. `given` is its JSON object, or the text of the line as `line`."""

    def __init__(self, why: str, given: dict[str, Any]) -> None:
        super().__init__("bad-request", why)
        self.given = given


class IngestRequest(msgspec.Struct, kw_only=True):
    """A request for one dataset. `given` has all keys as they came, also unknown ones.

    `base_url` is kept raw: it is a key of the result and of SQL rows.
    """

    base_url: str
    ingest_type: str = DATASET
    link_source: str | None = None
    link_source_id: str | None = None
    ingest_request_source: str | None = None
    force_recrawl: bool | None = None
    ext_ids: dict[str, Any] | None = None
    given: dict[str, Any] = msgspec.field(default_factory=dict)

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """The request in a JSON object. Raises BadRequest."""
        if given.get("ingest_type") != DATASET:
            raise BadRequest(f"the ingest_type is not {DATASET}", dict(given))
        known = {name: given[name] for name in cls.__struct_fields__ if name in given}
        try:
            request = msgspec.convert(known | {"given": dict(given)}, cls)
        except msgspec.ValidationError as error:
            raise BadRequest(str(error), dict(given)) from error
        if not request.base_url.strip():
            raise BadRequest("the base_url is empty", dict(given))
        return request

    @classmethod
    def read(cls, line: bytes) -> Self:
        """The request in a line of JSON. Raises BadRequest."""
        try:
            given = msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise BadRequest(f"not JSON: {error}", _quoted(line)) from error
        if not isinstance(given, dict):
            raise BadRequest("not a JSON object", _quoted(line))
        return cls.of(given)

    @property
    def doi(self) -> str:
        """The DOI among `ext_ids`, as given; "" if there is none."""
        doi = (self.ext_ids or {}).get("doi")
        return doi if isinstance(doi, str) else ""


def _quoted(line: bytes) -> dict[str, Any]:
    return {"line": clean(line[: 4 * MAX_QUOTED].decode(errors="replace"))[:MAX_QUOTED].strip()}
