"""Secrets are removed from recorded exchanges before they are written to a file.

    with redacted(exchange, Secrets(values=[token])) as clean:
        write_exchange(writer, clean)

`patterns` has the regular expressions, `redactor` finds and replaces, `codings` undoes the codings
of bodies, `messages` redacts a message in its file.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace

from indexer.errors import ArchiveError
from indexer.http.redaction.messages import MAX_DECODED, redacted_message
from indexer.http.redaction.redactor import Redactor, Secrets
from indexer.warc.exchanges import WireExchange

__all__ = ["Secrets", "redacted"]


@contextmanager
def redacted(
    exchange: WireExchange, secrets: Secrets, limit: int = MAX_DECODED
) -> Iterator[WireExchange]:
    """The exchange without its secrets, while the context is open.

    REDACTED replaces them in the URL, in heads and in bodies. A body with a secret is stored
    without transfer and content codings, under a head that fits; a body without keeps its bytes.
    A body that can't be decoded is stored as far as it can be, at most `limit` bytes, and counts as
    truncated. Raises ArchiveError if a head has no end, or a request's body can't be decoded.

    Not found are parts of a value, and values in files within a body (a ZIP file), in unknown
    content codings, and in other encodings than percent-encoding, escapes of JSON and HTML, Base64.
    """
    redactor = Redactor(secrets)
    is_cut = exchange.truncation is not None
    with ExitStack() as stack:
        request = redacted_message(exchange.request, redactor, limit, stack)
        if request.truncation:
            raise ArchiveError("the body of a request can't be decoded, or is too long")
        response = redacted_message(exchange.response, redactor, limit, stack, is_cut=is_cut)
        yield replace(
            exchange,
            url=redactor.text(exchange.url),
            request=request.file,
            response=response.file,
            truncation=exchange.truncation or response.truncation,
            redacted={"request": request.changes, "response": response.changes},
        )
