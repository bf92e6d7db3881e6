"""The ingester with a web archive: what its results tell a pipeline for the next try."""

from pathlib import Path

from indexer.filesets.ingest.opening import opened_ingester
from indexer.filesets.ingest.options import ArchivingOptions
from indexer.filesets.request import IngestRequest
from indexer.filesets.statuses import retry_class
from newsroom.repositories.server import Repositories


def test_an_ingest_that_must_wait_goes_on_later(tmp_path: Path) -> None:
    request = {"ingest_type": "dataset", "base_url": "https://doi.org/10.5072/zenodo.10200001"}
    fault = "429:skip=1:times=1:seconds=0@POST web.*"
    with Repositories(faults=[fault]) as served:
        web = {"FILESETS_WEB_URL": served.settings["WAYBACK_URL"]}
        options = ArchivingOptions.of({**served.settings, **web})
        with opened_ingester(options, str(tmp_path)) as ingester:
            first, second = (
                ingester.ingest(IngestRequest.of(request), lambda _: None) for _ in range(2)
            )
        saved = [each for each in served.log.calls("/save", "POST") if each.status == 200]
    assert (first.status, first.wait) == ("spn2-backoff", 0.0)
    assert retry_class(first.status, 200) is not None
    assert (second.status, len(saved)) == ("success", 2)
