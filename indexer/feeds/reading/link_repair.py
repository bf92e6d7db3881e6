"""Repairs links with common mistakes, before they are tested."""

import re

_RIGHT = re.compile(
    r"(?:https?|ftp)://(?!https?/)[^\s\\/?#:\u200b\ufeff]+/[^\s\\\u200b\ufeff]*", re.I
)
_AROUND = " \t\r\n\f\v\xa0\u1680\u2028\u2029\u200b\u202f\u205f\u3000\ufeff\x85"
_BREAKS = re.compile(r"[\t\r\n]+")
_FRONT = re.compile(r"[^?#]*")
_DOUBLED = re.compile(r"(?:https?:?//?)+(?=https?:?//)", re.I)
_NO_COLON = re.compile(r"(https?)//", re.I)
_ONE_SLASH = re.compile(r"(https?:)/(?=\w)", re.I)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.I)
_NO_PORT = re.compile(r"(https?://[^/?#]*?):(?=[/?#]|$)", re.I)
_NO_SLASH = re.compile(r"(https?://[^/?#]+)\?", re.I)


def repaired(link: str, feed_url: str) -> str:
    """Correct mistakes that have only one possible meaning; other mistakes stay.

    Doubled scheme, one slash, `//host`, backslashes, empty port, no slash before `?`, blanks.
    """
    # Nearly all links are right: one match in place of ten.
    if _RIGHT.fullmatch(link):
        return link
    url = _BREAKS.sub("", link.strip(_AROUND))
    # Backslashes of a query or fragment are part of its value.
    front = _FRONT.match(url)
    if front and "\\" in front[0]:
        url = front[0].replace("\\", "/") + url[front.end() :]
    if url.startswith("//"):
        scheme = _SCHEME.match(feed_url)
        url = (scheme[0].lower() if scheme else "http:") + url
    if doubled := _DOUBLED.match(url):
        url = _NO_COLON.sub(r"\1://", url[doubled.end() :], count=1)
    for mistake, right in ((_ONE_SLASH, r"\1//"), (_NO_PORT, r"\1"), (_NO_SLASH, r"\1/?")):
        if found := mistake.match(url):
            url = found.expand(right) + url[found.end() :]
    return url.replace(" ", "%20")
