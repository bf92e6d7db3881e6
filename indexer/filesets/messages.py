"""The messages of the family: requests for datasets, and their results.

Both are the JSON of the seed, with one more key: `ingest_id`, which is the id of the job that makes
the results of a request. A request from another program may lack it.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Self

from indexer.filesets.reading import read_result
from indexer.filesets.request import BadRequest, IngestRequest
from indexer.jobs.job import is_job_id
from indexer.messages.message import DEFAULT_KEY, UNKNOWN, Origin
from indexer.text.cleaning import one_line

ID: Final = "ingest_id"
WHY: Final = "bad_request"
"""The key with the reason in the message of a line that is no request."""

_LABEL = 300


@dataclass(frozen=True, slots=True)
class RequestMessage:
    """A request on its way to an ingester; also a line that is none, which has a result, too."""

    request: IngestRequest | BadRequest
    id: str
    key: str = DEFAULT_KEY
    origin: ClassVar[Origin] = UNKNOWN

    @property
    def given(self) -> Mapping[str, Any]:
        """The request as it came."""
        return self.request.given

    @property
    def label(self) -> str:
        """The URL of the dataset, or the line."""
        return label_of(self.given)

    def dump(self) -> bytes:
        """The JSON of the request."""
        why = {WHY: self.request.why} if isinstance(self.request, BadRequest) else {}
        return json.dumps({**self.given, **why, ID: self.id}).encode()

    @classmethod
    def load(cls, data: bytes, key: str = DEFAULT_KEY) -> Self:
        """The request in a message, or BadRequest as a value: such a message has a result, too."""
        try:
            read = IngestRequest.read(data)
        except BadRequest as error:
            given = dict(error.given)
            id, why = _id(given, data), given.pop(WHY, error.why)
            return cls(BadRequest(str(why), given), id, key)
        id = _id(read.given, data)
        return cls(read, id, key)


def _id(given: dict[str, Any], data: bytes) -> str:
    """Remove and return the id of a request; the hash of one that has none."""
    id = given.pop(ID, None)
    return id if isinstance(id, str) and is_job_id(id) else hashlib.sha256(data).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class ResultMessage:
    """A result on its way to all programs that read its topic, which is the routing key."""

    result: Mapping[str, Any]
    key: str
    origin: ClassVar[Origin] = UNKNOWN

    @property
    def label(self) -> str:
        """The URL of the dataset."""
        given = self.result.get("request")
        return label_of(given if isinstance(given, Mapping) else {})

    def dump(self) -> bytes:
        """The JSON of the result."""
        return json.dumps(self.result).encode()

    @classmethod
    def load(cls, data: bytes, key: str) -> Self:
        """The result in a message. Raises DecodeError."""
        return cls(read_result(data), key)


def label_of(given: Mapping[str, Any]) -> str:
    """A request in one line, for logs."""
    return one_line(str(given.get("base_url") or given.get("line") or "no request"), _LABEL)
