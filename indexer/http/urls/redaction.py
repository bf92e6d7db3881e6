"""URLs of our own services without credentials, for people."""

import re

_CREDENTIALS = re.compile(r"(?<=:)//[^/]*@")
# A password with a raw `/`, `?` or `#`, which should be percent-encoded: it would end the host.
_UNREADABLE = re.compile(r"(?<=:)//[^/@:]*:[^@]*[/?#][^@]*@")


def without_credentials(url: str) -> str:
    """The URL without user, password and query, for logs, summaries and errors.

    Several URLs with commas between them are allowed, as in the option for an index's hosts.
    """
    url = _UNREADABLE.sub("//", url)
    return _CREDENTIALS.sub("//", re.split("[?#]", url, maxsplit=1)[0])
