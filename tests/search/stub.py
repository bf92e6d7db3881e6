"""A fake Elasticsearch with the replies of a test, without a network."""

import json
from typing import Any

from elastic_transport import ApiResponseMeta, BaseNode, HttpHeaders, NodeConfig
from elastic_transport._node import NodeApiResponse
from elasticsearch import Elasticsearch

from indexer.system.patience import Patience

Reply = tuple[int, Any]
"""An HTTP status, and what is sent as JSON. An exception is raised instead."""


class Stub:
    """The remaining replies, and the received requests."""

    def __init__(self, *replies: Reply | Exception) -> None:
        self.replies = list(replies)
        self.requests: list[tuple[str, bytes]] = []
        self.pauses: list[float] = []

    def client(self) -> Elasticsearch:
        """Return a client of this stub."""
        stub = self

        class Node(BaseNode):
            def __init__(self, config: NodeConfig) -> None:
                super().__init__(config)

            def perform_request(
                self, method: str, target: str, body: bytes | None = None, *_: Any, **__: Any
            ) -> NodeApiResponse:
                stub.requests.append((f"{method} {target}", body or b""))
                reply = stub.replies.pop(0)
                if isinstance(reply, Exception):
                    raise reply
                headers = {"content-type": "application/json", "x-elastic-product": "Elasticsearch"}
                meta = ApiResponseMeta(reply[0], "1.1", HttpHeaders(headers), 0.0, self.config)
                return NodeApiResponse(meta, json.dumps(reply[1]).encode())

            def close(self) -> None:
                pass

        return Elasticsearch("http://stub:9200", node_class=Node)

    def patience(self) -> Patience:
        """Return a patience that does not wait, but records its pauses in `pauses`."""
        return Patience(self.pauses.append, lambda: 1.0)


def items(*statuses: int, action: str = "create", index: str = "mc_search-000001") -> Reply:
    """Return the reply to a bulk request: a status for each of its lines."""
    error = {"type": "some_exception", "reason": "for some reason"}
    found = [
        {action: {"_index": index, "status": status} | ({"error": error} if status >= 300 else {})}
        for status in statuses
    ]
    return 200, {"errors": True, "took": 1, "items": found}


def busy(status: int = 429) -> Reply:
    """Return the reply of a busy server."""
    return status, {
        "error": {"type": "es_rejected_execution_exception", "reason": "rejected execution"},
        "status": status,
    }
