"""Results as this program and the existing system write them."""

from typing import Any

BASE_URL = "https://doi.org/10.5072/zenodo.7"
SHA1 = "2" * 40

REQUEST = {
    "ingest_type": "dataset",
    "base_url": BASE_URL,
    "link_source": "doi",
    "link_source_id": "10.5072/zenodo.7",
    "ingest_request_source": "fatcat-changelog",
    "ext_ids": {"doi": "10.5072/zenodo.7"},
    "fatcat": {"release_ident": "a" * 26, "work_ident": "b" * 26},
}

TERMINAL = {
    "terminal_url": "https://zenodo.org/records/7",
    "terminal_dt": "20260102030405",
    "terminal_status_code": 200,
    "terminal_sha1hex": SHA1,
}

FILE_META = {
    "size_bytes": 3,
    "md5hex": "1" * 32,
    "sha1hex": SHA1,
    "sha256hex": "3" * 64,
    "mimetype": "text/html",
}

CDX = {
    "surt": "org,zenodo)/records/7",
    "datetime": "20260102030405",
    "url": "https://zenodo.org/records/7",
    "mimetype": "text/html",
    "status_code": 200,
    "sha1b32": "EIRCEIRCEIRCEIRCEIRCEIRCEIRCEIRC",
    "sha1hex": SHA1,
    "warc_csize": 900,
    "warc_offset": 12,
    "warc_path": "crawl/a.warc.gz",
}


def manifest_file(path: str = "a.csv", **given: Any) -> dict[str, Any]:
    """A file of a manifest, verified."""
    return {
        "path": path,
        "size": 3,
        "md5": "1" * 32,
        "sha1": SHA1,
        "sha256": "3" * 64,
        "mimetype": "text/csv",
        "status": "success",
        "platform_url": f"https://zenodo.org/records/7/files/{path}",
        "terminal_url": f"https://zenodo.org/records/7/files/{path}",
        "terminal_dt": "20260102030405",
    } | given


def fileset_result(**given: Any) -> dict[str, Any]:
    """The result of a dataset with two files; the `given` fields replace others, None removes."""
    found = {
        "hit": True,
        "status": "success",
        "request": REQUEST,
        "hops": [BASE_URL, TERMINAL["terminal_url"]],
        "terminal": TERMINAL,
        "file_meta": FILE_META,
        "platform_name": "zenodo",
        "platform_domain": "zenodo.org",
        "platform_id": "7",
        "platform_base_url": "https://zenodo.org/records/7",
        "ingest_strategy": "archiveorg-fileset",
        "archiveorg_item_name": "zenodo.org-7",
        "manifest": [manifest_file(), manifest_file("b/c.csv")],
        "file_count": 2,
        "total_size": 6,
        **given,
    }
    return {name: value for name, value in found.items() if value is not None}


def file_result(**given: Any) -> dict[str, Any]:
    """The result of a dataset of one file."""
    single = {
        "status": "success-file",
        "ingest_strategy": "archiveorg-file",
        "manifest": [manifest_file()],
        "file_count": 1,
        "total_size": 3,
        "fileset_file": {"file_meta": FILE_META, "terminal": TERMINAL},
    }
    return fileset_result(**(single | given))


def dataset_file_result(**given: Any) -> dict[str, Any]:
    """The result of the file of such a dataset."""
    return {
        "hit": True,
        "status": "success",
        "request": REQUEST | {"ingest_type": "dataset-file"},
        "file_meta": FILE_META,
        "terminal": TERMINAL,
        "cdx": CDX,
        **given,
    }
