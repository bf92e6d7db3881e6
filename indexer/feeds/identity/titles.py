"""Normalised titles, by which stories of one source are compared (feeds.md 8.3)."""

import re
from hashlib import md5
from string import punctuation

MAX_LENGTH = 1024

# Titles of megabytes exist; the markup in front of the text is rarely longer than this.
_READ = 16 * MAX_LENGTH
_PASSES = 4
"""The number of times that tags are removed: removing a tag may leave another one."""

_TAG = re.compile(r"<[a-zA-Z/!?][^<>]*>")
_ENTITY = re.compile(r"&#?[a-z0-9]*", re.IGNORECASE)


def normalized_title(title: str | None) -> str:
    """The title in lower case, without tags, entities and punctuation around it; "" without one."""
    if not title:
        return ""
    text = title[:_READ]
    if "<" in text:
        text = _without_tags(text)
    if "&" in text:
        text = _ENTITY.sub(" ", text)
    # The steps and their order are those of `mcmetadata.titles.normalize_title`.
    text = " ".join(text.strip(punctuation).split())
    return text[:MAX_LENGTH].strip().lower()[:MAX_LENGTH]


def title_hash(normalized: str) -> str:
    """The MD5 of a normalised title, in hex; "" for a title without letters and digits.

    Raises ValueError for lone surrogates.
    """
    if not any(map(str.isalnum, normalized)):
        return ""
    return md5(normalized.encode(), usedforsecurity=False).hexdigest()


def _without_tags(text: str) -> str:
    for _ in range(_PASSES):
        shorter = _TAG.sub("", text)
        if shorter == text:
            break
        text = shorter
    return text
