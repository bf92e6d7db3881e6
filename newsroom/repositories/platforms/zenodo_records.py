"""The records of InvenioRDM as JSON, in all shapes that Zenodo has had (spec 10.1).

The shapes of a dataset: "" as Zenodo is today, `native` (another site), `legacy` (until October
2023), `transitional` (in those days).
"""

import uuid
from typing import Any

from newsroom.repositories.dataset import Dataset, File, State
from newsroom.repositories.exchange import Answer, json_answer, quoted

HOST = "zenodo.example"
RDM_HOST = "rdm.example"
CLOSED = (State.RESTRICTED, State.EMBARGOED, State.METADATA_ONLY)


def host_of(dataset: Dataset) -> str:
    """The host that has the dataset."""
    return dataset.host or HOST


def base_of(dataset: Dataset) -> str:
    return f"http://{host_of(dataset)}"


def api_of(dataset: Dataset) -> str:
    return f"{base_of(dataset)}/api/records/{dataset.id}"


def url_of(dataset: Dataset, file: File) -> str:
    return f"{api_of(dataset)}/files/{quoted(file.path)}/content"


def open_files(dataset: Dataset) -> tuple[File, ...]:
    return () if dataset.state in CLOSED else dataset.files


def _checksum(file: File) -> str:
    return f"{file.checksum}:{file.told_hash}" if file.checksum else ""


def _id(dataset: Dataset, file: File) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_URL, url_of(dataset, file)))


def hits(found: list[Dataset], total: int) -> Answer:
    records = [native(each) if each.shape == "native" else today(each) for each in found]
    return json_answer({"hits": {"hits": records, "total": total}, "links": {}})


def tombstone(dataset: Dataset) -> Answer:
    return json_answer(
        {
            "status": 410,
            "message": "Record deleted",
            "tombstone": {
                "removal_reason": {"id": dataset.reason or "retracted", "title": {"en": "Removed"}},
                "note": "Removed at the request of the owner",
                "removed_by": {"user": "1"},
                "removal_date": "2025-02-03T10:00:00+00:00",
                "citation_text": dataset.title,
                "is_visible": True,
                "deletion_policy": {"id": "grace-period-v1"},
            },
        },
        410,
    )


def _metadata(dataset: Dataset) -> dict[str, Any]:
    right = {State.OPEN: "open", State.METADATA_ONLY: "closed"}.get(dataset.state, dataset.state)
    version = {
        "index": int(dataset.version) - 1,
        "is_last": True,
        "parent": {"pid_type": "recid", "pid_value": dataset.concept},
    }
    found: dict[str, Any] = {
        "title": dataset.title,
        "doi": dataset.doi,
        "publication_date": dataset.date,
        "description": dataset.description,
        "access_right": right,
        "creators": [
            {"name": name, "affiliation": "Uni X", "orcid": "0000-0002-1825-0097"}
            for name in dataset.creators
        ],
        "version": f"v{dataset.version}",
        "resource_type": {"title": dataset.kind.capitalize(), "type": dataset.kind},
        "relations": {"version": [version]},
    }
    if dataset.license:
        found["license"] = {"id": dataset.license}
    if dataset.until:
        found["embargo_date"] = dataset.until
    if dataset.reason:
        found["access_conditions"] = f"<p>{dataset.reason}</p>"
    return found


def _common(dataset: Dataset) -> dict[str, Any]:
    return {
        "created": f"{dataset.date}T09:30:00.000000+00:00",
        "modified": f"{dataset.date}T09:30:01.000000+00:00",
        "updated": f"{dataset.date}T09:30:01.000000+00:00",
        "id": int(dataset.id),
        "conceptrecid": dataset.concept,
        "doi": dataset.doi,
        "conceptdoi": dataset.concept_doi,
        "doi_url": f"https://doi.org/{dataset.doi}",
        "metadata": _metadata(dataset),
    }


def today(dataset: Dataset) -> dict[str, Any]:
    """The record of Zenodo since October 2023: legacy keys over InvenioRDM."""
    api = api_of(dataset)
    links = {
        "self": api,
        "self_html": f"{base_of(dataset)}/records/{dataset.id}",
        "doi": f"https://doi.org/{dataset.doi}",
        "latest": f"{api}/versions/latest",
        "versions": f"{api}/versions",
        "parent": f"{base_of(dataset)}/api/records/{dataset.concept}",
        "parent_doi": f"https://doi.org/{dataset.concept_doi}",
    }
    if dataset.state not in CLOSED:
        links |= {"files": f"{api}/files", "archive": f"{api}/files-archive"}
    files = [
        {
            "id": _id(dataset, file),
            "key": file.path,
            "size": file.size,
            "checksum": _checksum(file),
            "links": {"self": url_of(dataset, file)},
        }
        for file in open_files(dataset)
    ]
    return {
        **_common(dataset),
        "title": dataset.title,
        "links": links,
        "recid": dataset.id,
        "revision": 4,
        "files": files,
        "swh": {},
        "owners": [{"id": "1"}],
        "status": "published",
        "stats": {"downloads": 1, "views": 2},
        "state": "done",
        "submitted": True,
    }


def _legacy(dataset: Dataset) -> dict[str, Any]:
    """The record of Zenodo before October 2023; its links to files are dead."""
    base = base_of(dataset)
    bucket = str(uuid.uuid5(uuid.NAMESPACE_URL, api_of(dataset)))
    files = [
        {
            "bucket": bucket,
            "key": file.path,
            "type": file.path.rpartition(".")[2],
            "size": file.size,
            "checksum": _checksum(file),
            "links": {"self": f"{base}/api/files/{bucket}/{quoted(file.path)}"},
        }
        for file in open_files(dataset)
    ]
    links = {
        "self": api_of(dataset),
        "html": f"{base}/record/{dataset.id}",
        "bucket": f"{base}/api/files/{bucket}",
        "badge": f"{base}/badge/doi/{dataset.doi}.svg",
        "latest": f"{base}/api/records/{dataset.id}",
        "latest_html": f"{base}/record/{dataset.id}",
        "conceptdoi": f"https://doi.org/{dataset.concept_doi}",
    }
    return {**_common(dataset), "links": links, "owners": [1], "revision": 2, "files": files}


def _transitional(dataset: Dataset) -> dict[str, Any]:
    """The record in the days of October 2023: other names, a hash without its kind."""
    files = [
        {
            "id": _id(dataset, file),
            "filename": file.path,
            "filesize": file.size,
            "checksum": file.told_hash,
            "links": {
                "self": f"{api_of(dataset)}/files/{quoted(file.path)}",
                "download": url_of(dataset, file),
            },
        }
        for file in open_files(dataset)
    ]
    return {**today(dataset), "files": files}


def native_file(dataset: Dataset, file: File) -> dict[str, Any]:
    url = url_of(dataset, file)
    return {
        "key": file.path,
        "file_id": _id(dataset, file),
        "checksum": _checksum(file),
        "size": file.size,
        "mimetype": file.mimetype,
        "ext": file.path.rpartition(".")[2],
        "storage_class": "L",
        "status": "completed",
        "version_id": _id(dataset, file),
        "bucket_id": str(uuid.uuid5(uuid.NAMESPACE_URL, api_of(dataset))),
        "metadata": None,
        "links": {"self": url.removesuffix("/content"), "content": url},
    }


def native(dataset: Dataset) -> dict[str, Any]:
    """The record of InvenioRDM; of many files it lists none."""
    files = dataset.files
    is_open = dataset.state is State.OPEN
    rights = [
        {
            "id": dataset.license,
            "title": {"en": dataset.license},
            "props": {"url": f"https://creativecommons.example/{dataset.license}"},
        }
    ]
    is_embargoed = dataset.state is State.EMBARGOED
    described: dict[str, Any] = {
        "enabled": bool(files),
        "order": [],
        "count": len(files),
        "total_bytes": dataset.size,
    }
    if is_open and len(files) <= 100:
        described["entries"] = {file.path: native_file(dataset, file) for file in files}
    return {
        "id": dataset.id,
        "created": f"{dataset.date}T09:30:00.000000+00:00",
        "updated": f"{dataset.date}T09:30:01.000000+00:00",
        "links": {
            "self": api_of(dataset),
            "self_html": f"{base_of(dataset)}/records/{dataset.id}",
            "files": f"{api_of(dataset)}/files",
            "archive": f"{api_of(dataset)}/files-archive",
        },
        "revision_id": 4,
        "parent": {"id": dataset.concept, "pids": {"doi": {"identifier": dataset.concept_doi}}},
        "versions": {"index": int(dataset.version), "is_latest": True},
        "pids": {"doi": {"identifier": dataset.doi, "provider": "datacite"}},
        "metadata": {
            "title": dataset.title,
            "publication_date": dataset.date,
            "creators": [{"person_or_org": {"name": name}} for name in dataset.creators],
            "description": dataset.description,
            "version": f"v{dataset.version}",
            "rights": rights if dataset.license else [],
        },
        "access": {
            "record": "public",
            "files": "public" if is_open else "restricted",
            "embargo": {
                "active": is_embargoed,
                "until": dataset.until or None,
                "reason": dataset.reason or None,
            },
            "status": dataset.state.value,
        },
        "files": described,
        "status": "published",
    }


SHAPES = {"": today, "legacy": _legacy, "transitional": _transitional}
