"""The imitation platforms, one small module each, and their table."""

from newsroom.repositories.catalogue import Catalogue
from newsroom.repositories.platforms.archiveorg import ArchiveOrg
from newsroom.repositories.platforms.b2share import B2Share
from newsroom.repositories.platforms.dataverse import Dataverse
from newsroom.repositories.platforms.doi import DOI
from newsroom.repositories.platforms.dryad import Dryad
from newsroom.repositories.platforms.figshare import Figshare, FourTU
from newsroom.repositories.platforms.generic import Generic
from newsroom.repositories.platforms.github import GitHub
from newsroom.repositories.platforms.osf import OSF
from newsroom.repositories.platforms.platform import Platform
from newsroom.repositories.platforms.zenodo import Zenodo

KINDS: tuple[type[Platform], ...] = (
    Zenodo,
    ArchiveOrg,
    Figshare,
    FourTU,
    Dataverse,
    OSF,
    Dryad,
    GitHub,
    B2Share,
    Generic,
)
"""All platforms with datasets."""


def platforms(catalogue: Catalogue) -> dict[str, Platform]:
    """All platforms by name, with the resolver of their DOIs."""
    made = {kind.name: kind(catalogue) for kind in KINDS}
    return {**made, DOI.name: DOI(catalogue, made)}
