"""Entities of a catalogue, made of results: filesets, and single files (filesets.md 9.1)."""

from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import quote

from indexer.errors import Discard
from indexer.filesets.importing.gates import (
    check_fileset,
    check_ingest,
    check_result_of_file,
    check_single,
    is_result_of_file,
    release_of,
)
from indexer.filesets.importing.options import EntityOptions
from indexer.filesets.manifest import HASHES
from indexer.filesets.paths import stored_names
from indexer.filesets.reading import request_of_result
from indexer.filesets.request import DATASET, FILE_TYPE

FILESET: Final = "fileset"
FILE: Final = "file"

_FACTS = ("path", "size", "md5", "sha1", "sha256", "mimetype")

Values = Mapping[str, Any]
Entity = dict[str, Any]


def fileset_entity(result: Values, options: EntityOptions) -> Entity:
    """The entity of a dataset with several files. Raises Discard."""
    check_ingest(result)
    files = check_fileset(result)
    urls = _listed(_fileset_urls(result, options))
    is_web = str(result.get("ingest_strategy")).startswith("web-")
    return {
        "manifest": [_manifest_file(each, options, is_web=is_web) for each in files],
        "urls": urls,
        **release_of(result),
        "edit_extra": _provenance(result),
    }


def file_entity(result: Values, options: EntityOptions) -> Entity:
    """The entity of a single file: of the result of its dataset, or of its own. Raises Discard."""
    check_ingest(result, (DATASET, FILE_TYPE))
    is_own = is_result_of_file(result)
    file = check_result_of_file(result) if is_own else check_single(result)
    urls = _own_urls(result, options) if is_own else _file_urls(result, file, options)
    extra = {"extra": {"path": file["path"]}} if "path" in file else {}
    return {
        **{name: value for name, value in _facts(file).items() if name != "path"},
        "urls": _listed(urls),
        **release_of(result),
        **extra,
        "edit_extra": _provenance(result),
    }


def _manifest_file(file: Values, options: EntityOptions, *, is_web: bool) -> Entity:
    extra = {"original_url": file.get("platform_url")}
    if is_web:
        extra["wayback_url"] = _replay(file, options)
    known = {name: url for name, url in extra.items() if url}
    return {**_facts(file), "extra": known} if known else _facts(file)


def _facts(file: Values) -> Entity:
    found = {name: file[name] for name in _FACTS if file.get(name) is not None}
    return {name: each.lower() if name in HASHES else each for name, each in found.items()}


def _fileset_urls(result: Values, options: EntityOptions) -> Iterator[tuple[str, str]]:
    item, strategy = result.get("archiveorg_item_name"), result.get("ingest_strategy")
    bundle, is_bundled = _part(result, "fileset_bundle"), str(strategy).endswith("-bundled")
    if strategy == "archiveorg-fileset" and item:
        yield "archive-base", _below(options.items_url, f"{item}/")
    if strategy == "archiveorg-fileset-bundled" and item and bundle.get("archiveorg_bundle_path"):
        path = _quoted(str(bundle["archiveorg_bundle_path"]))
        yield "archive-bundle", _below(options.items_url, f"{item}/{path}")
    if strategy == "web-fileset-bundled":
        yield "webarchive-bundle", _replay(_part(bundle, "terminal"), options)
    if is_bundled:
        yield "repository-bundle", str(result.get("web_bundle_url") or "")
    elif strategy == "web-fileset" and result.get("web_base_url"):
        base = {
            "terminal_url": result["web_base_url"],
            "terminal_dt": result.get("web_base_url_dt"),
        }
        yield "webarchive-base", _replay(base, options)
        yield "repository-base", str(result["web_base_url"])
    yield "web", _landing(result)


def _file_urls(result: Values, file: Values, options: EntityOptions) -> Iterator[tuple[str, str]]:
    yield "web", str(file.get("platform_url") or "")
    if result.get("ingest_strategy") == "web-file":
        yield "webarchive", _replay(file, options)
    elif item := result.get("archiveorg_item_name"):
        # Items of archive.org itself keep their names, ours have escaped ones.
        is_theirs = result.get("platform_name") == "archiveorg"
        name = file["path"] if is_theirs else stored_names([file["path"]], str(item))[0]
        yield "archive", _below(options.items_url, f"{item}/{_quoted(name)}")


def _own_urls(result: Values, options: EntityOptions) -> Iterator[tuple[str, str]]:
    yield "web", str(_part(result, "terminal").get("terminal_url") or "")
    capture = _part(result, "cdx")
    found = {"terminal_url": capture.get("url"), "terminal_dt": capture.get("datetime")}
    yield "webarchive", _replay(found, options)


def _landing(result: Values) -> str:
    page = _part(result, "terminal").get("terminal_url") or result.get("platform_base_url")
    return str(page or "")


def _listed(urls: Iterator[tuple[str, str]]) -> list[dict[str, str]]:
    """The URLs that are known. Raises Discard if none is."""
    found = [{"url": url, "rel": rel} for rel, url in urls if url]
    if not found:
        raise Discard("skip-no-access-url")
    return found


def _replay(capture: Values, options: EntityOptions) -> str:
    url, when = capture.get("terminal_url"), capture.get("terminal_dt")
    return _below(options.replay_url, f"{when}/{url}") if url and when else ""


def _quoted(name: str) -> str:
    # The names of some platforms have lone surrogates.
    return quote(name, errors="replace")


def _below(base: str, path: str) -> str:
    return f"{base.rstrip('/')}/{path}" if base else ""


def _provenance(result: Values) -> Entity:
    request = request_of_result(result)
    names = ("ingest_request_source", "link_source", "link_source_id")
    found = {name: request[name] for name in names if request.get(name)}
    return {**_part(request, "edit_extra"), **found}


def _part(values: Values, name: str) -> Values:
    found = values.get(name)
    return found if isinstance(found, dict) else {}
