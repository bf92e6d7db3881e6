"""Platforms: which repository a dataset is in, and which files it has there.

    Evidence → find: a DOI → a host → an API that answers → what the page says of itself
             → Platform.item(reference) → FilesetPlatformItem

A platform is one file and one line in PLATFORMS. `references` has the grammar of URLs, `api` the
calls, `answers` the reading of JSON, `platform` the part that all platforms share.
"""

from collections.abc import Sequence

from indexer.errors import FilesetError
from indexer.filesets.landing.evidence import Evidence
from indexer.filesets.platforms.api import PlatformAPI
from indexer.filesets.platforms.archiveorg import ArchiveOrg
from indexer.filesets.platforms.b2share import B2Share
from indexer.filesets.platforms.dataverse import Dataverse
from indexer.filesets.platforms.dryad import Dryad
from indexer.filesets.platforms.figshare import Figshare, FourTU
from indexer.filesets.platforms.generic import Generic
from indexer.filesets.platforms.github import GitHub
from indexer.filesets.platforms.osf import OSF
from indexer.filesets.platforms.platform import Platform, Way
from indexer.filesets.platforms.references import Reference
from indexer.filesets.platforms.zenodo import Zenodo

PLATFORMS: tuple[type[Platform], ...] = (
    Dataverse,
    Figshare,
    Zenodo,
    ArchiveOrg,
    FourTU,
    OSF,
    Dryad,
    GitHub,
    B2Share,
    Generic,
)
"""All platforms; of several that match in the same way, the first one counts."""


def platforms(api: PlatformAPI) -> list[Platform]:
    """All platforms, with the client for their APIs."""
    return [kind(api) for kind in PLATFORMS]


def find(known: Sequence[Platform], evidence: Evidence) -> tuple[Platform, Reference]:
    """The platform of a dataset, and what the evidence refers to there.

    A DOI tells more than a host, and a host more than an API that happens to answer. Raises
    FilesetError (`no-platform-match`).
    """
    for way in Way:
        for platform in known:
            if reference := platform.by_way(way, evidence):
                return platform, reference
    raise FilesetError("no-platform-match", f"no platform is known for {evidence.url}")


def find_without_page(known: Sequence[Platform], evidence: Evidence) -> Platform | None:
    """The platform that the URL of a request names so well that its page isn't fetched.

    Only archive.org is one: its pages are in the blocklist, and have nothing to tell (spec 4.5).
    """
    named = (each for each in known if not each.reads_page)
    return next((each for each in named if each.by_host(evidence)), None)
