"""The payload of toy jobs."""

from typing import Self

import msgspec

from indexer.errors import DecodeError
from indexer.messages.job_worker import Want
from indexer.messages.message import DEFAULT_KEY, UNKNOWN, Origin


class Task(msgspec.Struct, frozen=True):
    """A job of some steps, or a report about one."""

    id: str
    steps: int = 3
    text: str = ""

    @property
    def key(self) -> str:
        return DEFAULT_KEY

    @property
    def label(self) -> str:
        return f"{self.id} {self.text}".strip()

    @property
    def origin(self) -> Origin:
        return UNKNOWN

    def dump(self) -> bytes:
        return msgspec.json.encode(self)

    @classmethod
    def load(cls, data: bytes, key: str = DEFAULT_KEY) -> Self:  # noqa: ARG003 - a Payload
        try:
            return msgspec.json.decode(data, type=cls)
        except msgspec.MsgspecError as error:
            raise DecodeError(str(error)) from error


class Command(Task, frozen=True):
    """What is wanted of a job: a control message."""

    @property
    def job_id(self) -> str:
        return self.id

    @property
    def wants(self) -> Want:
        return Want(self.text)
