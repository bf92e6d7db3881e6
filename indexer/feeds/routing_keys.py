"""The routing keys of feeds: `pipeline.py` has them without the libraries of messages."""

from typing import Final

NO_DOCUMENT: Final = "no-document"
"""The key of an attempt that has nothing to parse: not modified, failed, postponed."""
