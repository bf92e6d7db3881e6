"""Any fault of a site, an API or a file's server is one result with its status, and no item."""

from pathlib import Path

from indexer.filesets.ingest.opening import opened_ingester
from indexer.filesets.ingest.options import ArchivingOptions
from indexer.filesets.request import IngestRequest
from indexer.filesets.results.result import fileset_result
from newsroom.repositories.server import Repositories
from tests.each_row import each_row

SETTINGS = {"FILESETS_API_TRIES": "1"}
GIVEN_UP = {"FILESETS_TRANSFER_SECONDS": "2"}
"""Only where a file is lost in any case: a busy machine takes longer for the others."""

PAGE, API, FILE = "zenodo.example/records/*", "*/api/records/10200001", "*/gauges.csv/content"
LOST = "error-platform-download"


@each_row(
    ("fault", "status"),
    [
        (f"refuse@{PAGE}", "success"),
        (f"waf@{PAGE}", "success"),
        (f"503@{API}", "platform-error"),
        (f"429:seconds=1000@{API}", "platform-rate-limited"),
        (f"404@{API}", "platform-404"),
        (f"410@{API}", "platform-restricted"),
        (f"418@{API}", "platform-http-error"),
        (f"empty-202@{API}", "platform-error"),
        (f"html@{API}", "platform-error"),
        (f"truncate@{API}", "platform-error"),
        (f"reset@{API}", "platform-error"),
        (f"wrong-hash@{API}", "platform-error"),
        (f"404@{FILE}", LOST),
        (f"503@{FILE}", LOST),
        (f"refuse@{FILE}", LOST),
        (f"waf@{FILE}", LOST),
        (f"waf-403@{FILE}", LOST),
        (f"html@{FILE}", LOST),
        (f"gzip@{FILE}", LOST),
        (f"wrong-hash@{FILE}", "mismatch-md5"),
        (f"over-limit@{FILE}", "mismatch-size"),
        (f"truncate:times=1@{FILE}", "success"),
        (f"reset:times=1@{FILE}", "success"),
        (f"signed:times=1@{FILE}", "success"),
        (f"no-range@{FILE}", "success"),
    ],
)
def test_a_fault_has_its_status(tmp_path: Path, fault: str, status: str) -> None:
    items = tmp_path / str(abs(hash(fault)))
    settings = {**SETTINGS, **(GIVEN_UP if status == LOST else {})}
    request = {"ingest_type": "dataset", "base_url": "https://doi.org/10.5072/zenodo.10200001"}
    with (
        Repositories(faults=[fault]) as served,
        opened_ingester(
            ArchivingOptions.of({**served.settings, **settings}), str(items)
        ) as ingester,
    ):
        found = ingester.ingest(IngestRequest.of(request), lambda _: None)
    result = fileset_result(found)
    assert result["status"] == status, found.message
    assert result["hit"] == bool([*items.glob("*/*_sha256.txt")])
