"""Datasets in a web archive: what is known of one is not asked again, nor taken for another's."""

from io import BytesIO
from typing import Any, cast

from indexer.errors import FilesetError
from indexer.filesets.bundles.limits import BundleLimits
from indexer.filesets.manifest import FilesetManifestFile
from indexer.filesets.platform_item import FilesetPlatformItem
from indexer.filesets.strategies.choosing import StrategyName
from indexer.filesets.strategies.strategy import ArchiveJob
from indexer.filesets.strategies.wayback import WaybackStrategy
from indexer.filesets.wayback.archive import NO_CAPTURE, Trail


class EmptyArchive:
    """A web archive without captures, which makes none; it notes the URLs that were looked for."""

    can_save = False

    def __init__(self) -> None:
        self.asked: list[str] = []

    def find(self, url: str, mimetype: str = "") -> Trail:
        self.asked.append(url)
        return Trail([url], error=FilesetError(NO_CAPTURE, "no capture"))


def job(path: str) -> ArchiveJob:
    file = FilesetManifestFile(path=path, platform_url=f"https://data.example/{path}")
    item = FilesetPlatformItem(platform_name="zenodo", platform_status="success", manifest=[file])
    return ArchiveJob(item, StrategyName.WEB_FILE, BytesIO(b"evidence"))


def test_jobs_by_turns_go_on_with_their_own_captures_which_are_looked_for_once() -> None:
    archive = EmptyArchive()
    strategy = WaybackStrategy(cast(Any, archive), cast(Any, None), 20, BundleLimits())
    jobs = [job("a.csv"), job("b.csv")]
    assert [strategy.check_existing(each) for each in jobs] == [None, None]
    messages = [strategy.process(each, lambda _: None).message for each in jobs]
    assert messages == ["a.csv: no capture", "b.csv: no capture"]
    assert archive.asked == ["https://data.example/a.csv", "https://data.example/b.csv"]
