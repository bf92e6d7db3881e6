"""The family's payload, and the exchange that its programs speak on."""

from dataclasses import dataclass
from typing import Self

from indexer.errors import DecodeError
from indexer.messages.exchanges import Exchange, Unheard
from indexer.messages.message import UNKNOWN, Origin

EXCHANGE = Exchange(
    "toy_exchange",
    {"job.start.#": Unheard.RETURNED, "job.status.#": Unheard.DROPPED, "log.#": Unheard.DROPPED},
    shared=True,
)


@dataclass
class Note:
    """A text with a routing key."""

    key: str
    text: str = ""

    @property
    def label(self) -> str:
        return f"{self.key} {self.text}"

    @property
    def origin(self) -> Origin:
        return UNKNOWN

    def dump(self) -> bytes:
        return self.text.encode()

    @classmethod
    def load(cls, data: bytes, key: str) -> Self:
        try:
            return cls(key, data.decode())
        except UnicodeDecodeError as error:
            raise DecodeError(f"not a note: {error}") from error
