"""Versions and files of Dataverse as JSON (spec 10.3)."""

from typing import Any

from newsroom.repositories.catalogue import file_id
from newsroom.repositories.dataset import Dataset, File, State

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_PLACES = (5, 4, 3, 2, 1, 0)
_KINDS = {"md5": "MD5", "sha1": "SHA-1", "sha256": "SHA-256", "sha512": "SHA-512"}


def id_of(dataset: Dataset, at: int) -> int:
    """The number of a file in the database."""
    return file_id(dataset, at)


def pid_of(dataset: Dataset, at: int) -> str:
    """The PID of a file, "" if it has none: that of the dataset, and its number in six letters."""
    if dataset.shape == "no-pids":
        return ""
    number = id_of(dataset, at)
    return f"{dataset.id}/{''.join(_LETTERS[number // 26**place % 26] for place in _PLACES)}"


def number_of(letters: str) -> str:
    """The number that six letters stand for; "" for another text."""
    if len(letters) != len(_PLACES) or not set(letters) <= set(_LETTERS):
        return ""
    return str(
        sum(_LETTERS.index(each) * 26**at for each, at in zip(letters, _PLACES, strict=True))
    )


def version_json(dataset: Dataset, *, without: bool = False) -> dict[str, Any]:
    """A version; without files if so wanted, or if it is withdrawn."""
    major, _, minor = dataset.version.partition(".")
    gone = dataset.state is State.GONE
    version = {
        "id": dataset.serial + 5000,
        "datasetId": dataset.serial,
        "datasetPersistentId": dataset.id,
        "storageIdentifier": "s3://bucket",
        "versionNumber": int(major),
        "versionMinorNumber": int(minor or 0),
        "versionState": "DEACCESSIONED" if gone else "RELEASED",
        "lastUpdateTime": f"{dataset.date}T09:30:00Z",
        "releaseTime": f"{dataset.date}T09:30:00Z",
        "createTime": f"{dataset.date}T09:00:00Z",
        "publicationDate": dataset.date,
        "fileAccessRequest": False,
        "metadataBlocks": {
            "citation": {
                "displayName": "Citation Metadata",
                "name": "citation",
                "fields": _fields(dataset),
            }
        },
        "files": [] if gone or without else files_json(dataset),
    }
    if gone:
        version["deaccessionNote"] = dataset.reason
    if dataset.license:
        version["license"] = {"name": dataset.license, "uri": "https://license.example/by"}
    else:
        version["termsOfUse"] = "Ask the river."
    return version


def _fields(dataset: Dataset) -> list[dict[str, Any]]:
    def text(name: str, value: str) -> dict[str, Any]:
        return {"typeName": name, "multiple": False, "typeClass": "primitive", "value": value}

    authors = [{"authorName": text("authorName", name)} for name in dataset.creators]
    description = [{"dsDescriptionValue": text("dsDescriptionValue", dataset.description)}]
    return [
        text("title", dataset.title),
        {"typeName": "author", "multiple": True, "typeClass": "compound", "value": authors},
        {
            "typeName": "dsDescription",
            "multiple": True,
            "typeClass": "compound",
            "value": description,
        },
        text("depositor", "Depositor, Some"),
    ]


def files_json(dataset: Dataset) -> list[dict[str, Any]]:
    return [file_json(dataset, at, file) for at, file in enumerate(dataset.files)]


def file_json(dataset: Dataset, at: int, file: File) -> dict[str, Any]:
    """A file in the list of a version. The hash of a table is that of its original."""
    shown = file.ingested or file
    data: dict[str, Any] = {
        "id": id_of(dataset, at),
        "persistentId": pid_of(dataset, at),
        "filename": shown.name,
        "contentType": shown.mimetype,
        "filesize": shown.size,
        "description": "",
        "storageIdentifier": f"s3://bucket:{id_of(dataset, at):x}",
        "rootDataFileId": -1,
        "tabularData": file.ingested is not None,
        "creationDate": dataset.date,
        "publicationDate": dataset.date,
        "fileAccessRequest": False,
    }
    if file.ingested:
        data |= {
            "originalFileFormat": file.mimetype,
            "originalFileSize": file.size,
            "originalFileName": file.name,
            "UNF": "UNF:6:bWFkZSB1cA==",
        }
    if file.checksum == "md5":
        data["md5"] = file.told_hash
    if file.checksum:
        data["checksum"] = {"type": _KINDS[file.checksum], "value": file.told_hash}
    if dataset.state is State.EMBARGOED:
        data["embargo"] = {"dateAvailable": dataset.until, "reason": dataset.reason}
    folder = {"directoryLabel": file.folder} if file.folder else {}
    return {
        "description": "",
        "label": shown.name,
        "restricted": file.restricted or dataset.state is State.RESTRICTED,
        **folder,
        "version": 1,
        "datasetVersionId": dataset.serial + 5000,
        "dataFile": {**data, **folder},
    }
