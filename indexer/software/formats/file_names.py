"""The choice of formats by the name of a file, quick enough for directories of 100,000 files."""

from collections.abc import Iterable, Iterator

from indexer.software.rules.manifest_format import ManifestFormat


class FileNames:
    """The names and the endings of the files of some formats; the case of letters doesn't count."""

    def __init__(self, formats: Iterable[ManifestFormat]) -> None:
        self._exact: dict[str, list[ManifestFormat]] = {}
        self._endings: list[tuple[str, ManifestFormat]] = []
        for form in formats:
            for pattern in form.files:
                folded = pattern.casefold()
                if folded.startswith("*"):
                    self._endings.append((folded[1:], form))
                else:
                    self._exact.setdefault(folded, []).append(form)
        self._all_endings = tuple(ending for ending, _ in self._endings)

    def formats_of(self, path: str) -> Iterator[ManifestFormat]:
        """Yield each format that a file may have by its name, or its folder and name (spec 4)."""
        folder, slash, folded = path.casefold().rpartition("/")
        yield from self._exact.get(folded, ())
        if slash:
            yield from self._exact.get(f"{folder.rpartition('/')[2]}/{folded}", ())
        if folded.endswith(self._all_endings):
            # `.gemspec` alone is the name of no gem.
            yield from (
                form
                for ending, form in self._endings
                if folded.endswith(ending) and folded != ending
            )
