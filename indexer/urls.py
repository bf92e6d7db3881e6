"""URLs of our own services, as they may be shown."""

from urllib.parse import urlsplit, urlunsplit


def without_credentials(url: str) -> str:
    """The URL without user, password and query, for logs, summaries and errors."""
    parts = urlsplit(url)
    if not parts.netloc:
        return url.partition("?")[0]
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path, "", ""))
