"""Elasticsearch's errors: their texts, the library's exceptions, and retries while it is busy."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from elasticsearch import ApiError, NotFoundError, TransportError

from indexer.errors import NoIndex, SearchError
from indexer.http.connections.failures import reason as in_words
from indexer.system.patience import Patience
from indexer.text.cleaning import one_line

BUSY = (429, 502, 503, 504)
"""Statuses of a busy server, and of a proxy before one that restarts."""

T = TypeVar("T")


class Unsupported(Exception):
    """The server does not have the module that would handle a request."""


def reason(body: Any) -> str:
    """Return the reason of an error with its innermost cause, on one line."""
    error = body.get("error") if isinstance(body, dict) else body
    if not isinstance(error, dict):
        return str(error or "")
    reasons = dict.fromkeys(
        cause.get("reason")
        for each in (error, *_of_a_shard(error))
        for cause in (each, _root(each))
    )
    return one_line(f"{error.get('type')}: " + ": ".join(str(text) for text in reasons if text))


def _of_a_shard(error: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the error of the first failed shard, if any: "all shards failed" explains nothing."""
    shards = [shard.get("reason") for shard in error.get("failed_shards", ())]
    return [one for one in (*shards, *error.get("root_cause", ())) if isinstance(one, dict)][:1]


def _root(error: dict[str, Any]) -> dict[str, Any]:
    while isinstance(error.get("caused_by"), dict):
        error = error["caused_by"]
    return error


@contextmanager
def search_errors(
    alias: str, hosts: str, refusal: type[SearchError] = SearchError
) -> Iterator[None]:
    """Raise the client's errors as SearchError; a bad request (status 400) as `refusal`."""
    try:
        yield
    except ApiError as error:
        if error.error == "index_not_found_exception":
            name = error.body["error"].get("index") or alias
            raise NoIndex(
                f"no search index {name} at {hosts}: check the alias in the URL; "
                "`story-indexer run` or `elastic-conf` makes one"
            ) from error
        why = f"Elasticsearch answered {error.status_code}: {reason(error.body)}"
        raise (refusal if error.status_code == 400 else SearchError)(why) from error
    except TransportError as error:
        raise SearchError(f"can't reach Elasticsearch at {hosts}: {_failure(error)}") from error


def _failure(error: TransportError) -> str:
    """Return why there was no answer."""
    # After retries the error contains those of all attempts; the last one decided.
    while error.errors and isinstance(error.errors[-1], TransportError):
        error = error.errors[-1]
    return in_words(error)


def existing(get: Callable[[], Any]) -> Any:
    """Return the body of an answer, None for 404. Raises Unsupported, ApiError, TransportError."""
    try:
        return get().body
    except NotFoundError:
        return None
    except ApiError as error:
        # A server without the module does not know its URLs, or takes them for an index's name.
        if error.status_code in (400, 405) and "no handler found" in str(error.body):
            raise Unsupported from error
        raise


def ask(patience: Patience, question: Callable[[], T]) -> T:
    """Return the server's answer. Raises ApiError if it stays busy, TransportError."""
    return patience.retry(question, ApiError, lambda error: error.status_code in BUSY)
