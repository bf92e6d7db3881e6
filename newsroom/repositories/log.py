"""The requests that the repositories got, for tests: what was asked, how much was sent."""

import json
import threading
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(slots=True)
class Entry:
    """A request and its answer. `file` is a name by Dataset.key, `start` the first byte asked for.

    `sent` grows before bytes of the body are handed to the connection, so a client that has all of
    an answer finds it whole in the log; of a closed connection it is a little too much.
    """

    method: str
    url: str
    status: int
    sent: int = 0
    start: int = 0
    file: str = ""
    fault: str = ""
    received: int = 0


class Log:
    """All requests since the start, or since `clear`; also as JSON lines, if there is a path."""

    def __init__(self, path: Path | None = None) -> None:
        self._lock = threading.Lock()
        self._entries: list[Entry] = []
        self._file = path.open("a", encoding="utf-8", buffering=1) if path else None

    def begin(self, entry: Entry) -> None:
        with self._lock:
            self._entries.append(entry)

    def end(self, entry: Entry) -> None:
        """Write an entry that doesn't change any more to the file."""
        if self._file:
            with self._lock:
                self._file.write(json.dumps(asdict(entry), ensure_ascii=False) + "\n")

    def clear(self) -> None:
        with self._lock:
            self._entries.clear()

    def close(self) -> None:
        if self._file:
            self._file.close()

    @property
    def entries(self) -> list[Entry]:
        with self._lock:
            return list(self._entries)

    def calls(self, part: str, method: str = "") -> list[Entry]:
        """The requests whose URLs contain a text."""
        return [each for each in self.entries if part in each.url and method in ("", each.method)]

    def bytes_of_files(self) -> Counter[str]:
        """The bytes sent of each file, in all tries together."""
        found: Counter[str] = Counter()
        for each in self.entries:
            if each.file:
                found[each.file] += each.sent
        return found
