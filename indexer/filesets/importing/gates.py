"""The gates of the catalogue's importers (filesets.md 9.1): which results become entities.

A gate is a pure function that raises Discard with the name of the skip, which is counted. Where
9.1 calls a rule of the existing importers a trap, the rule is what 9.1 wants: sources `spn` and
`hdl`, results `success-existing` and files without bytes are accepted.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from indexer.errors import Discard
from indexer.filesets.reading import request_of_result
from indexer.filesets.request import DATASET, FILE_TYPE
from indexer.filesets.statuses import SUCCESS, SUCCESS_EXISTING, SUCCESS_FILE

REQUEST_SOURCES: Final = frozenset(
    [
        *("fatcat-changelog", "fatcat-ingest", "fatcat-ingest-container", "arabesque"),
        *("unpaywall", "unpaywall-corpus", "doaj", "dblp", "savepapernow"),
    ]
)
LINK_SOURCES: Final = frozenset(
    ["arxiv", "pmc", "unpaywall", "doi", "mag", "s2", "doaj", "dblp", "spn", "hdl"]
)
MAX_FILES: Final = 300
"""The most files of a fileset in the catalogue."""

RELEASE: Final = re.compile("[a-z2-7]{26}")
"""The id of a release."""

STORED: Final = (SUCCESS, "exists")
"""The statuses of a file that is archived: now, or before."""

_HASHES: Final = {"md5": 32, "sha1": 40, "sha256": 64}
_HEX: Final = re.compile("[0-9a-f]*")

Values = Mapping[str, Any]


def check_ingest(result: Values, types: Sequence[str] = (DATASET,)) -> None:
    """What every importer asks of a result. Raises Discard."""
    request = request_of_result(result)
    if result.get("hit") is not True:
        raise Discard("skip-hit", f"{result.get('status')!r:.100}")
    _among(request, "ingest_request_source", REQUEST_SOURCES, "skip-ingest-request-source")
    _among(request, "link_source", LINK_SOURCES, "skip-link-source")
    _among(request, "ingest_type", types, "skip-ingest-type")


def check_fileset(result: Values) -> list[Values]:
    """The files of a dataset with several files. Raises Discard."""
    files = _files(result)
    strategy = str(result.get("ingest_strategy") or "")
    _among(result, "status", (SUCCESS, SUCCESS_EXISTING), "skip-status")
    if not files:
        raise Discard("skip-empty-manifest")
    if len(files) == 1 or strategy.endswith("-file"):
        raise Discard("skip-single-file")
    if "-fileset" not in strategy:
        raise Discard("skip-strategy", strategy)
    if len(files) > MAX_FILES:
        raise Discard("skip-too-many-files", f"{len(files)} files")
    if result.get("file_count") != len(files):
        raise Discard("skip-file-count", f"{len(files)} of {result.get('file_count')} files")
    for file in files:
        check_file(file, ("path", "size", "mimetype", "md5", "sha1"))
    return files


def check_single(result: Values) -> Values:
    """The only file of a dataset. Raises Discard."""
    files = _files(result)
    strategy = str(result.get("ingest_strategy") or "")
    if not files:
        raise Discard("skip-empty-manifest")
    if len(files) > 1 or not strategy.endswith("-file"):
        raise Discard("skip-multiple-files", strategy)
    _among(result, "status", (SUCCESS_FILE, SUCCESS_EXISTING), "skip-status")
    _among(files[0], "status", STORED, "skip-file-status")
    check_file(files[0], ("path", "size", "mimetype", "md5", "sha1", "sha256"))
    return files[0]


def check_result_of_file(result: Values) -> Values:
    """The file of a `dataset-file` result, by the names of a manifest. Raises Discard."""
    _among(result, "status", (SUCCESS,), "skip-status")
    meta = result.get("file_meta")
    given = meta if isinstance(meta, dict) else {}
    file = {name: given.get(f"{name}hex") for name in _HASHES}
    file |= {"size": given.get("size_bytes"), "mimetype": given.get("mimetype")}
    check_file(file, ("size", "mimetype", "md5", "sha1", "sha256"))
    return file


def check_file(file: Values, needed: Sequence[str]) -> None:
    """A file has all facts that are needed; no hash stands in the place of another one."""
    # A file without bytes has the size 0: facts are compared with None.
    if missing := [name for name in needed if file.get(name) in (None, "")]:
        raise Discard("skip-partial-file-info", f"{file.get('path')!r:.200}: {', '.join(missing)}")
    if not isinstance(file["size"], int) or not isinstance(file.get("path", ""), str):
        raise Discard("skip-partial-file-info", f"{file.get('path')!r:.200}: its size or path")
    for name, length in _HASHES.items():
        digits = file.get(name)
        if digits is not None and not _is_hash(digits, length):
            raise Discard("skip-bad-hashes", f"{file.get('path')!r:.200}: {name}")


def release_of(result: Values) -> dict[str, Any]:
    """The release that the request names, by its id or by ids of other catalogues.

    Raises Discard("skip-release-not-found") if it names none.
    """
    request = request_of_result(result)
    ident = _part(request, "fatcat").get("release_ident")
    if isinstance(ident, str) and RELEASE.fullmatch(ident):
        return {"release_ids": [ident]}
    ids = {name: id for name, id in _part(request, "ext_ids").items() if id and isinstance(id, str)}
    if not ids:
        raise Discard("skip-release-not-found", "the request has no release_ident, and no ext_ids")
    return {"release_ext_ids": ids}


def is_result_of_file(result: Values) -> bool:
    """Whether a result is the second one of a dataset with one file."""
    return request_of_result(result).get("ingest_type") == FILE_TYPE


def is_of_one_file(result: Values) -> bool:
    """Whether the importer of files is meant: by the type, or the strategy."""
    strategy = result.get("ingest_strategy")
    return is_result_of_file(result) or str(strategy).endswith("-file")


def _files(result: Values) -> list[Values]:
    found = result.get("manifest")
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _part(values: Values, name: str) -> Values:
    found = values.get(name)
    return found if isinstance(found, dict) else {}


def _among(values: Values, name: str, allowed: Any, status: str) -> None:
    found = values.get(name)
    if not isinstance(found, str) or found not in allowed:
        raise Discard(status, f"{found!r:.100}")


def _is_hash(digits: Any, length: int) -> bool:
    lower = digits.lower() if isinstance(digits, str) else ""
    return len(lower) == length and bool(_HEX.fullmatch(lower))
