"""The object storage behind platforms: signed URLs, each for one file and the method GET.

http://zenodo.example/api/…?a=b → http://storage.example/zenodo.example/api/…?a=b&X-Amz-…=…
"""

import re
from dataclasses import replace

from newsroom.repositories.exchange import Answer, Asked, answer

HOST = "storage.example"

_SIGNATURE = re.compile(r"[?&]X-Amz-[^&]*")
_PLACE = re.compile(r"/([^/]+)(/.*)")


def signed_url(asked: Asked) -> str:
    """The URL at which the storage has what the request is for."""
    mark = "&" if "?" in asked.target else "?"
    return (
        f"http://{HOST}/{asked.host}{asked.target}{mark}X-Amz-Algorithm=AWS4-HMAC-SHA256"
        "&X-Amz-Expires=10&X-Amz-SignedHeaders=host&X-Amz-Signature=5ca1ab1e"
    )


def unsigned(asked: Asked) -> Asked | None:
    """The request that a signed URL stands for; None if the URL or the method is not signed for."""
    place = _PLACE.fullmatch(_SIGNATURE.sub("", asked.target))
    if asked.method != "GET" or "X-Amz-Signature=" not in asked.target or not place:
        return None
    return replace(asked, host=place[1], target=place[2])


def denied() -> Answer:
    """The storage's refusal of a request that is not signed."""
    return answer(
        '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code>'
        "<Message>Request has expired</Message></Error>",
        "application/xml",
        403,
    )
