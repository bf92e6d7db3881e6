"""The URL of a request in the form in which it is fetched (spec 3.1)."""

from indexer.errors import BadURL, FilesetError
from indexer.filesets.landing.doi import doi_of
from indexer.http.urls.parts import split
from indexer.http.urls.target import Target


def clean_url(text: str) -> str:
    """The URL as browsers would request it, without a fragment; a bare DOI becomes a URL.

    White space around it and a colon without a port are removed. Raises FilesetError
    (`invalid-url`).
    """
    if split(text) is None and (doi := doi_of(text)):
        return f"https://doi.org/{doi}"
    try:
        return Target.parse(text).url
    except BadURL as error:
        raise FilesetError("invalid-url", str(error)) from error
