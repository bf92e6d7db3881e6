"""Keys of URLs in CDXJ files: the canonical URL, its host reversed, as in `com,example)/path`.

These are the keys by which replay tools search: pywb, and all that use the package `surt` of the
Internet Archive. URLs with the same key count as one page. The rules: the canonicalization of
Google's Safe Browsing (v2), then those of the Wayback Machine, which ignore case, `www.`, the
scheme, the user, session ids, and the order of a query's parameters.
"""

import re
from contextlib import suppress
from socket import inet_aton
from urllib.parse import quote, unquote_to_bytes

_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://([^/?#]*)([^?#]*)(?:\?([^#]*))?")
"""Scheme, authority, path and query (RFC 3986, appendix B)."""

_WWW = re.compile(r"^www\d*\.")
_IPV4 = re.compile(r"\d+(\.\d+){0,3}")
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
_UNSAFE = re.compile(r"[^\x21-\x7e]|[#%]")
_PRINTABLE = "".join(map(chr, range(0x21, 0x7F)))
_PORTS = {"http": "80", "https": "443"}

_SESSIONS_IN_PATHS = [
    re.compile(rf"^(.*/){session}/([^?]+\.aspx.*)$", re.I | re.S)
    for session in (r"\((?:[a-z]\([0-9a-z]{24}\))+\)", r"\([0-9a-z]{24}\)")
]
_SESSIONS_IN_QUERIES = [
    re.compile(rf"^(.*){session}(?:&(.*))?$", re.I | re.S)
    for session in (
        "jsessionid=[0-9a-z]{32}",
        "phpsessid=[0-9a-z]{32}",
        "sid=[0-9a-z]{32}",
        "aspsessionid[a-z]{8}=[a-z]{24}",
        "cfid=[^&]+&cftoken=[^&]+",
    )
]


def surt(url: str) -> str:
    """The key of a URL, in printable ASCII. A URL without `://`, as `urn:…`, is its own key."""
    text = re.sub(r"[\t\r\n]", "", url.strip())
    found = _URL.match(text)
    if not found:
        return quote(text.encode("utf-8", "surrogatepass"), safe=_PRINTABLE)
    scheme, authority, path, query = found.groups(default="")
    key = f"{_host_key(scheme.lower(), authority)}){_path_key(path)}"
    parameters = _query_key(query)
    return f"{key}?{parameters}" if parameters else key


def _host_key(scheme: str, authority: str) -> str:
    host, port = _split(authority.rpartition("@")[2])
    host = _canonical_host(host)
    labels = ",".join(reversed(_WWW.sub("", host).split(".")))
    number = _escaped(port.lstrip("0"))
    return f"{labels}:{number}" if number and number != _PORTS.get(scheme) else labels


def _split(authority: str) -> tuple[str, str]:
    """Host and port; an IPv6 address without its brackets."""
    if authority.startswith("["):
        host, _, port = authority[1:].partition("]")
        return host, port.removeprefix(":")
    host, _, port = authority.partition(":")
    return host, port


def _canonical_host(host: str) -> str:
    text = _unescaped(host)
    # International names in Punycode; a name that IDNA refuses stays as it is.
    with suppress(UnicodeError):
        text = text.encode("latin-1").decode().encode("idna").decode()
    text = _escaped(text)
    text = re.sub(r"\.+", ".", text).strip(".").lower()
    if _IPV4.fullmatch(text):
        with suppress(OSError):
            return ".".join(map(str, inet_aton(text)))
    return text


def _path_key(path: str) -> str:
    text = _escaped(_unescaped(path))
    for pattern in _SESSIONS_IN_PATHS:
        if found := pattern.match(text):
            text = found[1] + found[2]
    return "/" + "/".join(_resolved(text)).lower()


def _resolved(path: str) -> list[str]:
    """The segments of a path, without empty ones, `.` and `..`; `..` stays at the start."""
    segments: list[str] = []
    for each in path.split("/")[1:]:
        if each == ".." and segments:
            # Also an empty segment: `//` becomes `/` only afterwards.
            segments.pop()
        elif each != ".":
            segments.append(each)
    return [each for each in segments if each]


def _query_key(query: str) -> str:
    text = _escaped(_unescaped(query))
    for pattern in _SESSIONS_IN_QUERIES:
        if found := pattern.match(text):
            text = found[1] + (found[2] or "")
    return "&".join(sorted(text.lower().split("&"), key=lambda one: one.split("=", 1)))


def _unescaped(text: str) -> str:
    """The text without percent-encoding, however often it was encoded; one character a byte."""
    raw = text.encode("utf-8", "surrogatepass")
    while _ESCAPE.search(raw.decode("latin-1")):
        raw = unquote_to_bytes(raw)
    return raw.decode("latin-1")


def _escaped(text: str) -> str:
    """All characters but printable ASCII percent-encoded, and `#` and `%`."""
    return _UNSAFE.sub(lambda found: f"%{ord(found[0]):02x}", text)
