"""The headers of an answer."""

from collections.abc import Iterable, Iterator, Mapping


class Headers(Mapping[str, str]):
    """Headers by name, in any case; those with the same name are joined (RFC 9110, 5.2).

    Iteration yields the names in lower case, in the order of their first headers.
    """

    def __init__(self, fields: Iterable[tuple[str, str]]) -> None:
        self._values: dict[str, list[str]] = {}
        for name, value in fields:
            self._values.setdefault(name.lower(), []).append(value)

    def __getitem__(self, name: str) -> str:
        return ", ".join(self._values[name.lower()])

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def getlist(self, name: str) -> list[str]:
        """The values of all headers with a name, in their order."""
        return self._values.get(name.lower(), [])
