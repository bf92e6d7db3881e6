"""feedparser in the process of the tests: the same code as in its sandbox, without its start."""

from indexer.errors import SandboxError
from indexer.news.syndication.feedparser_items import answer
from indexer.news.syndication.second_reader import SecondReader, SecondReading, decoded


class HereReader(SecondReader):
    """A second reader without a process. `texts` has what it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def read(self, text: str) -> SecondReading:
        self.texts.append(text)
        return decoded(answer(text.encode()))


class BrokenReader(SecondReader):
    """A second reader that gives no answer."""

    def read(self, text: str) -> SecondReading:
        raise SandboxError("timeout", "no answer in 20 s")
