"""URLs of licences at well-known places, such as `http://www.apache.org/licenses/LICENSE-2.0`."""

import re

from indexer.software.licences.identifiers import expression, table
from indexer.software.licences.names import expression_of_name

MAX_URL = 300
"""The most characters of a URL that is looked up."""

_SCHEME = re.compile(r"https?://(?:www\.)?", re.IGNORECASE)
_ENDING = re.compile(
    r"(?:\.[a-z]{2})?\.(?:txt|html?|php|md|rdf|json|jsonld)$|/(?:legalcode|deed\.\w+|legalcode\.\w+)$"
)
_COMMONS = re.compile(r"creativecommons\.org/licenses/([a-z-]+)/(\d\.\d)(?:/([a-z]{2,3}))?")

_PLACES = (
    "opensource.org/licenses/",
    "opensource.org/license/",
    "spdx.org/licenses/",
    "choosealicense.com/licenses/",
    "licenses.nuget.org/",
    "gnu.org/licenses/old-licenses/",
    "gnu.org/licenses/",
    "gnu.org/copyleft/",
    "apache.org/licenses/",
)
"""Places whose paths end with an identifier or a name."""


def is_web_address(text: str) -> bool:
    """Whether a text is one URL of the web, and nothing else."""
    return _SCHEME.match(text) is not None and len(text.split()) == 1


def expression_of_url(url: str) -> str | None:
    """Return the SPDX expression that a URL of a well-known place stands for, or None."""
    if len(url) > MAX_URL:
        return None
    address = _SCHEME.sub("", url, count=1).partition("#")[0].partition("?")[0].lower().rstrip("/")
    address = _ENDING.sub("", address).rstrip("/")
    if found := table("urls").get(address):
        return found
    if commons := _COMMONS.fullmatch(address):
        return expression("-".join(["CC", *filter(None, commons.groups())]))
    for place in _PLACES:
        if address.startswith(place):
            rest = address.removeprefix(place)
            return expression(rest) or expression_of_name(rest)
    return None
