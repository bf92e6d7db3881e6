"""All datasets of the imitation repositories, found by their ids, DOIs and files."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from newsroom.repositories.dataset import Dataset, File, State

MOST_FILES = 20_000
"""The most files of a dataset, so that one number tells the dataset and the file."""


class Catalogue:
    """The datasets; the state of one can change while its repository is served."""

    def __init__(self, datasets: Iterable[Dataset]) -> None:
        self._all = [replace(each, serial=at) for at, each in enumerate(datasets, 1)]
        self._places: dict[tuple[str, str], list[int]] = {}
        self._concepts: dict[tuple[str, str], list[int]] = {}
        self._dois: dict[str, int] = {}
        for at, each in enumerate(self._all):
            self._places.setdefault((each.platform, each.id.lower()), []).append(at)
            if each.concept:
                self._concepts.setdefault((each.platform, each.concept.lower()), []).append(at)
            # A DOI of all versions leads to the newest one, which comes last.
            for doi in filter(None, (each.concept_doi, each.doi)):
                self._dois[doi.lower()] = at

    def __iter__(self) -> Iterator[Dataset]:
        return iter(self._all)

    def versions(self, platform: str, id: str) -> list[Dataset]:
        """The datasets with that id, or with that id as their concept; the newest last."""
        key = platform, id.lower()
        return [self._all[at] for at in self._places.get(key) or self._concepts.get(key, [])]

    def find(self, platform: str, id: str, version: str = "") -> Dataset | None:
        """The dataset with that very id, in that version, or in its newest."""
        found = [self._all[at] for at in self._places.get((platform, id.lower()), ())]
        return next((each for each in reversed(found) if version in ("", each.version)), None)

    def by_doi(self, doi: str) -> Dataset | None:
        at = self._dois.get(doi.lower())
        return None if at is None else self._all[at]

    def by_file_id(self, platform: str, number: str) -> tuple[Dataset, File] | None:
        """The file that `file_id` gave that number."""
        serial, at = divmod(int(number), MOST_FILES)
        dataset = self._all[serial - 1] if 0 < serial <= len(self._all) else None
        if dataset is None or dataset.platform != platform or at >= len(dataset.files):
            return None
        return dataset, dataset.files[at]

    def change(self, id: str, state: State, reason: str = "") -> None:
        """Give a dataset another state, such as a removal, by its DOI or id. Raises KeyError."""
        ids = {id: places[-1] for (_, id), places in self._places.items()} | self._dois
        at = ids[id.lower()]
        self._all[at] = replace(self._all[at], state=state, reason=reason)


def file_id(dataset: Dataset, at: int) -> int:
    """The number of a file of a dataset, unique in all repositories."""
    return dataset.serial * MOST_FILES + at
