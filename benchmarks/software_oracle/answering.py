"""Answers requests in the environment of the existing system: a line of JSON in, a line out.

It uses public interfaces only: the entry points of mappings, and the function that merges.
"""

import json
import logging
import sys
from base64 import b64decode
from importlib.metadata import entry_points
from typing import Any

GROUP = "swh.indexer.metadata_mappings"


def answer(request: dict[str, Any]) -> Any:
    """Return the document of a file, or that of several documents."""
    if "documents" in request:
        from swh.indexer.codemeta import merge_documents  # type: ignore[import-not-found] # noqa: PLC0415

        return merge_documents(request["documents"])
    (point,) = entry_points(group=GROUP, name=request["mapping"])
    return point.load()().translate(b64decode(request["content"]))


def main() -> None:
    """Answer each line of standard input."""
    logging.disable(logging.CRITICAL)
    for line in sys.stdin:
        reply: dict[str, Any] = {"document": None, "error": ""}
        try:
            reply["document"] = answer(json.loads(line))
        except Exception as error:  # noqa: BLE001 - whatever escapes it is its answer
            reply["error"] = f"{type(error).__name__}: {error}"[:200]
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
