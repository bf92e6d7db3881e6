"""Datasets that are no item, and answers with surprises: each gives a status, or is understood.

A row is a sample, one change to its first answers, and what comes of it.
"""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from indexer.errors import FetchError, FilesetError
from indexer.filesets.platforms import PLATFORMS
from tests.each_row import each_row
from tests.filesets.platforms.samples import (
    ARCHIVEORG,
    B2SHARE,
    DATAVERSE,
    DRYAD,
    FIGSHARE,
    FOURTU,
    GITHUB,
    OSF,
    OSF_NODE,
    PID,
    ZENODO,
    item_of,
    sample,
)

Answers = dict[str, Any]
Change = Callable[[Answers], object]

FIGSHARE_2 = f"{FIGSHARE}/versions/2"
DATASET = f"{DATAVERSE}/{PID}"
DRYAD_DATASET = f"{DRYAD}/datasets/doi%3A10.5061%2Fdryad.abc12"
DRYAD_FILES = f"{DRYAD}/versions/123/files?per_page=100"
NODE = f"{OSF_NODE}/?embed=license&embed=bibliographic_contributors"
RELEASE = f"{GITHUB}/tags/v1.0"
DEACCESSIONED = f"{DATAVERSE}/versions/:latest{PID}&includeDeaccessioned=true"
WITHDRAWN = {"data": {"versionState": "DEACCESSIONED", "deaccessionNote": "wrong people"}}


def put(url: str, path: str, value: Any) -> Change:
    """A change of the value at a path such as `files.0.checksum` in the answer to a URL."""

    def change(answers: Answers) -> None:
        place, *keys = answers[url], *path.split(".")
        for key in keys[:-1]:
            place = place[int(key) if key.isdecimal() else key]
        place[int(keys[-1]) if keys[-1].isdecimal() else keys[-1]] = value

    return change


def drop(url: str, key: str) -> Change:
    """Without a key of the answer to a URL."""
    return lambda answers: answers[url].pop(key)


def answer(url: str, value: Any) -> Change:
    """Another answer to a URL."""
    return lambda answers: answers.update({url: value})


def latest(path: str, value: Any) -> Change:
    """A change in the version of the Dataverse sample."""
    return put(DATASET, f"data.latestVersion.{path}", value)


TOMBSTONE = {
    "status": 410,
    "message": "Record deleted",
    "tombstone": {
        "removal_reason": {"id": "spam"},
        "note": "not data",
        "removal_date": "2025-03-04T05:06:07Z",
    },
}

REFUSED = (
    # Zenodo
    ("zenodo", put(ZENODO, "conceptrecid", 10200001), "platform-scope", "all its versions"),
    ("zenodo", put(ZENODO, "metadata.access_right", "closed"), "platform-restricted", "closed"),
    (
        "zenodo",
        answer(
            ZENODO,
            {
                "id": 10200001,
                "metadata": {"access_right": "embargoed", "embargo_date": "2030-01-01"},
            },
        ),
        "platform-restricted",
        "until 2030-01-01",
    ),
    (
        "zenodo",
        answer(
            ZENODO,
            {
                "id": 10200001,
                "metadata": {
                    "access_right": "restricted",
                    "access_conditions": "<p>Ask\n<b>me</b> &amp; wait</p>",
                },
            },
        ),
        "platform-restricted",
        "Ask me & wait",
    ),
    ("zenodo, native", put(ZENODO, "access.files", "restricted"), "platform-restricted", ""),
    ("zenodo, native", put(ZENODO, "access.status", "embargoed"), "platform-restricted", ""),
    ("zenodo", answer(ZENODO, (410, {}, TOMBSTONE)), "platform-restricted", "spam, not data"),
    ("zenodo", answer(ZENODO, (410, {}, TOMBSTONE)), "platform-restricted", "2025-03-04"),
    ("zenodo", answer(ZENODO, (410, {}, b"gone")), "platform-restricted", "HTTP 410"),
    ("zenodo", answer(ZENODO, 404), "platform-404", "an error"),
    ("zenodo", answer(ZENODO, b"<html>"), "platform-error", "no JSON"),
    ("zenodo", answer(ZENODO, []), "platform-error", "id: no value"),
    ("zenodo", drop(ZENODO, "id"), "platform-error", "id: no value"),
    ("zenodo", put(ZENODO, "files", "none"), "platform-error", "files: not a list"),
    ("zenodo", put(ZENODO, "files", [{"size": 1}]), "platform-error", "files[0].filename"),
    ("zenodo", answer(ZENODO, 418), "platform-http-error", "HTTP 418"),
    ("zenodo", answer(ZENODO, FetchError("no answer")), "platform-error", "no answer"),
    ("zenodo", answer(ZENODO, 500), "platform-error", "HTTP 500"),
    ("zenodo", answer(ZENODO, (429, {"retry-after": "5"}, {})), "platform-rate-limited", "429"),
    # Figshare
    ("figshare", put(FIGSHARE_2, "is_public", False), "platform-restricted", ""),
    (
        "figshare",
        answer(
            FIGSHARE_2,
            {"is_embargoed": True, "embargo_date": "2031-02-03", "embargo_title": "File embargo"},
        ),
        "platform-restricted",
        "embargo until 2031-02-03, File embargo",
    ),
    (
        "figshare",
        answer(FIGSHARE_2, {"is_confidential": True, "confidential_reason": "patients"}),
        "platform-restricted",
        "patients",
    ),
    ("figshare", drop(FIGSHARE_2, "files"), "platform-restricted", "no files"),
    ("figshare", put(FIGSHARE_2, "download_disabled", True), "platform-restricted", ""),
    ("figshare", put(FIGSHARE_2, "files.0.is_link_only", True), "platform-scope", "a.wav"),
    ("figshare", put(FIGSHARE_2, "id", 7654322), "platform-error", "7654322"),
    ("figshare", answer(FIGSHARE_2, 403), "platform-http-error", "HTTP 403"),
    (
        "figshare",
        answer(FIGSHARE_2, (404, {}, {"message": "Entity not found: article"})),
        "platform-404",
        "Entity not found",
    ),
    (
        "figshare",
        answer(FIGSHARE_2, (202, {"x-amzn-waf-action": "challenge"}, b"")),
        "platform-error",
        "firewall",
    ),
    # Dataverse
    ("dataverse", latest("versionState", "DRAFT"), "platform-restricted", "draft"),
    ("dataverse", latest("versionState", "DEACCESSIONED"), "platform-restricted", "deaccessioned"),
    ("dataverse", latest("files.0.restricted", True), "platform-restricted", "survey.dta"),
    (
        "dataverse",
        latest("files.0.dataFile.embargo", {"dateAvailable": "2032-01-01"}),
        "platform-restricted",
        "embargo until 2032-01-01",
    ),
    (
        "dataverse",
        latest("files.1.dataFile.retention", {"dateUnavailable": "2020-01-01"}),
        "platform-restricted",
        "1 of 2 files",
    ),
    ("dataverse", put(DATASET, "data.latestVersion", None), "platform-scope", "no published"),
    ("dataverse", answer(DATASET, 401), "platform-restricted", "HTTP 401"),
    ("dataverse", answer(DATASET, 404), "platform-404", "HTTP 404"),
    ("dataverse", latest("versionNumber", None), "platform-error", "versionNumber: no value"),
    (
        "dataverse",
        lambda answers: answers.update({DATASET: 404, DEACCESSIONED: WITHDRAWN}),
        "platform-restricted",
        "deaccessioned, wrong people",
    ),
    # archive.org
    ("archiveorg", answer(ARCHIVEORG, {}), "platform-404", "no item"),
    ("archiveorg", answer(ARCHIVEORG, {"is_dark": True}), "platform-restricted", "dark"),
    ("archiveorg", put(ARCHIVEORG, "metadata.mediatype", "collection"), "platform-scope", ""),
    ("archiveorg", put(ARCHIVEORG, "metadata.mediatype", "web"), "platform-scope", "web"),
    (
        "archiveorg",
        put(ARCHIVEORG, "metadata.access-restricted-item", "true"),
        "platform-restricted",
        "",
    ),
    ("archiveorg", drop(ARCHIVEORG, "files"), "platform-error", "no list of files"),
    ("archiveorg", put(ARCHIVEORG, "files.0.private", "true"), "platform-restricted", "a b#1.csv"),
    # OSF
    ("osf", put(f"{OSF}/guids/ab1cd/", "data.type", "preprints"), "platform-scope", "preprints"),
    ("osf", put(f"{OSF}/guids/ab1cd/", "data.type", "users"), "platform-scope", "users"),
    ("osf", put(NODE, "data.attributes.public", False), "platform-restricted", "private"),
    ("osf", put(NODE, "data.attributes.withdrawn", True), "platform-restricted", "withdrawn"),
    ("osf", answer(NODE, 403), "platform-restricted", "HTTP 403"),
    ("osf", answer(NODE, 410), "platform-restricted", "HTTP 410"),
    # Dryad
    ("dryad", put(DRYAD_DATASET, "visibility", "restricted"), "platform-restricted", ""),
    ("dryad", put(DRYAD_DATASET, "curationStatus", "Embargoed"), "platform-restricted", "Embarg"),
    ("dryad", drop(DRYAD_DATASET, "_links"), "platform-error", "stash:version.href"),
    (
        "dryad",
        answer(DRYAD_FILES, {"_embedded": {"stash:files": [{"path": "a.csv"}]}}),
        "error-authentication",
        "only for users",
    ),
    # GitHub
    ("github", put(RELEASE, "draft", True), "platform-restricted", "draft"),
    ("github", answer(RELEASE, 404), "platform-404", ""),
    (
        "github",
        answer(RELEASE, (403, {"x-ratelimit-remaining": "0", "retry-after": "9"}, {})),
        "platform-rate-limited",
        "403",
    ),
    # B2SHARE, 4TU
    ("b2share", put(B2SHARE, "metadata.open_access", False), "platform-restricted", ""),
    ("b2share", put(B2SHARE, "metadata.publication_state", "draft"), "platform-restricted", ""),
    ("4tu", put(f"{FOURTU}/versions/1", "is_embargoed", True), "platform-restricted", ""),
)


@each_row(("name", "change", "status", "words"), REFUSED)
def test_a_status_and_a_message_say_why_not(
    name: str, change: Change, status: str, words: str
) -> None:
    url, answers = sample(name)
    change(answers)
    with pytest.raises(FilesetError) as caught:
        item_of(url, answers)
    assert caught.value.status == status
    assert words in caught.value.why
    assert "\n" not in caught.value.why


EMBARGO = {"dateAvailable": "2032-01-01", "reason": "a paper\ncomes"}
RETENTION = {"dateUnavailable": "2020-01-01", "reason": "names"}


@each_row(
    ("name", "change", "restriction", "until"),
    [
        ("dataverse", latest("files.0.restricted", True), "restricted", None),
        (
            "dataverse",
            latest("files.0.dataFile.embargo", EMBARGO),
            "embargo: a paper comes",
            "2032-01-01",
        ),
        (
            "dataverse",
            latest("files.0.dataFile.retention", RETENTION),
            "retained until 2020-01-01: names",
            None,
        ),
        ("archiveorg", put(ARCHIVEORG, "files.0.private", "true"), "private", None),
    ],
)
def test_by_option_the_public_files_are_taken_and_others_listed_with_the_reason(
    name: str, change: Change, restriction: str, until: str | None
) -> None:
    url, answers = sample(name)
    all_files = item_of(url, answers).files
    change(answers)
    found = item_of(url, answers, partial=True)
    assert [file.path for file in found.files] == [file.path for file in all_files[1:]]
    (file,) = found.restricted
    assert (file.path, file.status) == (all_files[0].path, "platform-restricted")
    assert file.extra
    assert (file.extra["restriction"], file.extra.get("restricted_until")) == (restriction, until)


def test_a_dataset_without_public_files_stays_restricted() -> None:
    url, answers = sample("dataverse")
    for at in (0, 1):
        latest(f"files.{at}.restricted", True)(answers)
    with pytest.raises(FilesetError, match="platform-restricted"):
        item_of(url, answers, partial=True)


def files(url: str, answers: Mapping[str, Any]) -> list[str]:
    """The files of a dataset: paths, sizes and names of hashes."""
    found = item_of(url, answers).files
    return [f"{file.path} {file.size} {','.join(sorted(file.hashes))}".strip() for file in found]


ZENODO_FILE = "sub dir/data file.csv 1234 md5"
FIGSHARE_FILES = ["a.wav 10 md5", "b.txt 20"]
NOTES = "notes.pdf 99 sha1"
HASH = "ab" * 32

UNDERSTOOD: tuple[tuple[str, Change, list[str]], ...] = (
    ("zenodo", put(ZENODO, "metadata.license", None), [ZENODO_FILE]),
    ("zenodo", drop(ZENODO, "links"), [ZENODO_FILE]),
    ("zenodo", drop(ZENODO, "conceptrecid"), [ZENODO_FILE]),
    ("zenodo", put(ZENODO, "id", "10200001"), [ZENODO_FILE]),
    ("zenodo", put(ZENODO, "files", []), []),
    ("zenodo", drop(ZENODO, "files"), []),
    ("zenodo", put(ZENODO, "files.0.checksum", f"sha256:{HASH}"), [ZENODO_FILE[:-3] + "sha256"]),
    ("zenodo", put(ZENODO, "files.0.checksum", f"SHA1:{HASH[:40]}"), [ZENODO_FILE[:-3] + "sha1"]),
    ("zenodo", put(ZENODO, "files.0.checksum", "md5:tooshort"), [ZENODO_FILE[:-4]]),
    ("zenodo", put(ZENODO, "files.0.checksum", None), [ZENODO_FILE[:-4]]),
    ("zenodo", put(ZENODO, "files.0.size", "1234"), [ZENODO_FILE]),
    ("zenodo", put(ZENODO, "files.0.size", -1), ["sub dir/data file.csv None md5"]),
    ("zenodo, native", put(ZENODO, "files.enabled", False), []),
    (
        "zenodo, native",
        lambda answers: answers[ZENODO].update(
            access={"status": "metadata-only"}, files={"enabled": False}
        ),
        [],
    ),
    ("figshare", put(FIGSHARE_2, "files", []), []),
    ("figshare", put(FIGSHARE_2, "license", None), FIGSHARE_FILES),
    ("figshare", put(FIGSHARE_2, "files.1.name", "a.wav"), ["a.wav 10 md5", "a (2).wav 20"]),
    ("figshare", put(FIGSHARE_2, "files.0.computed_md5", HASH[:32].upper()), FIGSHARE_FILES),
    ("dataverse", latest("releaseTime", None), ["data/raw/survey.dta 7168 md5", NOTES]),
    ("dataverse", latest("files.0.directoryLabel", None), ["survey.dta 7168 md5", NOTES]),
    (
        "dataverse",
        latest("files.0.dataFile.checksum", {"type": "SHA-512", "value": HASH * 2}),
        ["data/raw/survey.dta 7168 sha512", NOTES],
    ),
    (
        "dataverse",
        latest("files.0.dataFile.checksum", None),
        ["data/raw/survey.dta 7168 md5", NOTES],
    ),
    (
        "dataverse",
        latest("files.0.dataFile.originalFileSize", None),
        ["data/raw/survey.dta None md5", NOTES],
    ),
    ("dataverse", latest("files", []), []),
    (
        "dataverse",
        latest("files.0.dataFile.embargo", {"dateAvailable": "2020-01-01"}),
        ["data/raw/survey.dta 7168 md5", NOTES],
    ),
    (
        "dataverse",
        latest("files.0.dataFile.retention", {"dateUnavailable": "2099-01-01"}),
        ["data/raw/survey.dta 7168 md5", NOTES],
    ),
    ("archiveorg", put(ARCHIVEORG, "files", []), []),
    ("b2share", put(B2SHARE, "files", []), []),
)


@each_row(("name", "change", "expected"), UNDERSTOOD)
def test_an_unusual_answer_is_understood(name: str, change: Change, expected: list[str]) -> None:
    url, answers = sample(name)
    change(answers)
    assert files(url, answers) == expected


def test_deleted_datasets_are_gone_if_asked_for() -> None:
    with pytest.raises(FilesetError, match=r"platform-gone: .*spam"):
        item_of(
            "https://zenodo.org/records/1",
            {"https://zenodo.org/api/records/1": (410, {}, TOMBSTONE)},
            report_gone=True,
        )


def test_each_platform_has_a_refusal() -> None:
    named = {name.partition(",")[0] for name, *_ in REFUSED}
    assert named | {"generic"} == {platform.name for platform in PLATFORMS}
