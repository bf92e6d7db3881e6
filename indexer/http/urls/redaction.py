"""URLs of our own services, as they may be shown."""

import re

_CREDENTIALS = re.compile(r"(?<=:)//[^/]*@")
_UNREADABLE = re.compile(r"(?<=:)//[^/@:]*:[^@]*[/?#][^@]*@")
"""A password in which what ends it was not written as %2F and the like."""


def without_credentials(url: str) -> str:
    """The URL without user, password and query, for logs, summaries and errors.

    Also several with commas between them, as those of an index's hosts.
    """
    url = _UNREADABLE.sub("//", url)
    return _CREDENTIALS.sub("//", re.split("[?#]", url, maxsplit=1)[0])
