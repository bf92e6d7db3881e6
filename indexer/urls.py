"""URLs of our own services, as they may be shown."""

import re

_CREDENTIALS = re.compile(r"(?<=:)//[^/]*@")


def without_credentials(url: str) -> str:
    """The URL without user, password and query, for logs, summaries and errors.

    Also several with commas between them, as those of an index's hosts.
    """
    return _CREDENTIALS.sub("//", re.split("[?#]", url, maxsplit=1)[0])
