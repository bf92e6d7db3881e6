"""The options of an ingest: those of its parts together, and the place of captures."""

from pathlib import Path

from indexer.filesets.bundles.limits import BundleLimits
from indexer.filesets.landing.options import LandingOptions
from indexer.filesets.platform_options import PlatformOptions
from indexer.filesets.strategies.options import LimitOptions, TransferOptions
from indexer.filesets.wayback.options import WaybackOptions
from indexer.http.fetching import FetchOptions
from indexer.system.options import Options, group, option


class DatasetOptions(Options):
    """Part of the options of programs that look at datasets."""

    limits: LimitOptions = group(LimitOptions)
    bundle_limits: BundleLimits = group(BundleLimits)
    transfer: TransferOptions = group(TransferOptions)
    landing: LandingOptions = group(LandingOptions)
    platforms: PlatformOptions = group(PlatformOptions)
    wayback: WaybackOptions = group(WaybackOptions)
    fetching: FetchOptions = group(FetchOptions)


class ArchivingOptions(Options):
    """Part of the options of programs that archive datasets."""

    dataset: DatasetOptions = group(DatasetOptions)
    web: str = option(
        "",
        "directory or s3://BUCKET/PREFIX for captures of small datasets, as WARC files, or URL of "
        "a web archive with Save Page Now; without it, all datasets are stored as files",
        "FILESETS_WEB_URL",
    )
    working_dir: Path | None = option(
        None,
        "directory for files until all of a dataset are verified; default: in the directory of "
        "--to, or the system's temporary one",
        "SANDCRAWLER_WORKING_DIR",
    )
