"""What Elasticsearch's errors say."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from elasticsearch import ApiError, NotFoundError, TransportError

from indexer.errors import SearchError
from indexer.http.fetching.reasons import reason as in_words
from indexer.text.cleaning import one_line


class Unsupported(Exception):
    """The server has not the module that was asked for something."""


def reason(body: Any) -> str:
    """What an error of Elasticsearch says, with its innermost cause, on one line."""
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
    """The error of the first shard that failed, where one is told: "all shards failed" is none."""
    shards = [shard.get("reason") for shard in error.get("failed_shards", ())]
    return [one for one in (*shards, *error.get("root_cause", ())) if isinstance(one, dict)][:1]


def _root(error: dict[str, Any]) -> dict[str, Any]:
    while isinstance(error.get("caused_by"), dict):
        error = error["caused_by"]
    return error


@contextmanager
def explained(alias: str, hosts: str, refusal: type[SearchError] = SearchError) -> Iterator[None]:
    """Turn the client's errors into SearchError; that of a request it can't read into `refusal`."""
    try:
        yield
    except ApiError as error:
        if error.error == "index_not_found_exception":
            name = error.body["error"].get("index") or alias
            raise SearchError(
                f"no search index {name} at {hosts}: check the alias in the URL; "
                "`story-indexer run` or `elastic-conf` makes one"
            ) from error
        why = f"Elasticsearch answered {error.status_code}: {reason(error.body)}"
        raise (refusal if error.status_code == 400 else SearchError)(why) from error
    except TransportError as error:
        raise SearchError(f"can't reach Elasticsearch at {hosts}: {_failure(error)}") from error


def _failure(error: TransportError) -> str:
    """Why there was no answer; an error of several attempts has the last one's."""
    while error.errors and isinstance(error.errors[-1], TransportError):
        error = error.errors[-1]
    return in_words(error)


def there(ask: Callable[[], Any]) -> Any:
    """What the server has, None if it has none. Raises Unsupported, ApiError, TransportError."""
    try:
        return ask().body
    except NotFoundError:
        return None
    except ApiError as error:
        if error.status_code in (400, 405) and "no handler found" in str(error.body):
            raise Unsupported from error
        raise
