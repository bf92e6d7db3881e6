"""The URL of a service, as a value of an option."""

from typing import Annotated

from pydantic import AfterValidator

from indexer.errors import BadURL
from indexer.http.urls.target import Target


def service_url(text: str) -> str:
    """The URL without a slash at its end: paths are appended. Raises ValueError."""
    try:
        Target.parse(text)
    except BadURL as error:
        raise ValueError(str(error)) from error
    return text.rstrip("/")


ServiceURL = Annotated[str, AfterValidator(service_url)]
"""An option with the URL of a service."""
