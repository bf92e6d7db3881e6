"""What Elasticsearch's errors say."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from elasticsearch import ApiError, NotFoundError, TransportError

from indexer.errors import SearchError


class Unsupported(Exception):
    """The server has not the module that was asked for something."""


def reason(body: Any) -> str:
    """What an error of Elasticsearch says, with its innermost cause."""
    error = body.get("error") if isinstance(body, dict) else body
    if not isinstance(error, dict):
        return str(error or "")
    cause = error
    while isinstance(cause.get("caused_by"), dict):
        cause = cause["caused_by"]
    reasons = dict.fromkeys((error.get("reason"), cause.get("reason")))
    return f"{error.get('type')}: " + ": ".join(str(text) for text in reasons if text)


@contextmanager
def explained(alias: str, hosts: str, refusal: type[SearchError] = SearchError) -> Iterator[None]:
    """Turn the client's errors into SearchError; that of a request it can't read into `refusal`."""
    try:
        yield
    except ApiError as error:
        if error.error == "index_not_found_exception":
            name = error.body["error"].get("index") or alias
            why = f"no search index {name} at {hosts}: `story-indexer run` makes one"
            raise SearchError(why) from error
        why = f"Elasticsearch answered {error.status_code}: {reason(error.body)}"
        raise (refusal if error.status_code == 400 else SearchError)(why) from error
    except TransportError as error:
        raise SearchError(f"can't reach Elasticsearch at {hosts}: {error}") from error


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
