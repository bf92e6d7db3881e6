"""Sample datasets of the imitation repositories, which this process serves meanwhile."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final, NamedTuple

from indexer.filesets.statuses import is_hit
from newsroom.repositories.server import Repositories

MOST_BYTES: Final = 1_000_000
MOST: Final = 3
"""The largest sample, and the most of one platform."""


class Sample(NamedTuple):
    """URLs and DOIs of datasets, and the variables by which programs find them."""

    inputs: list[str]
    settings: Mapping[str, str]


@contextmanager
def sample_datasets() -> Iterator[Sample]:
    """Serve the repositories, and choose small datasets of each that can be archived."""
    with Repositories() as repositories:
        chosen: dict[str, list[str]] = {}
        for dataset in repositories.catalogue:
            named = chosen.setdefault(dataset.platform, [])
            if is_hit(dataset.expect) and dataset.size <= MOST_BYTES and len(named) < MOST:
                named.append(dataset.doi or repositories.landing(dataset))
        yield Sample([each for named in chosen.values() for each in named], repositories.settings)
