"""The title of a story in the form by which stories of one source are compared (feeds.md 8.3)."""

import re
from hashlib import md5
from string import punctuation

MAX_LENGTH = 1024

_READ = 16 * MAX_LENGTH
_PASSES = 4
"""How often tags are looked for in what was left: some feeds escape them twice."""

_TAG = re.compile(r"<[a-zA-Z/!?][^<>]*>")
_ENTITY = re.compile(r"&#?[a-z0-9]*", re.IGNORECASE)


def normalized_title(title: str | None) -> str:
    """The title in lower case, without tags, entities, and punctuation around it; "" for none."""
    if not title:
        return ""
    text = title[:_READ]
    if "<" in text:
        text = _without_tags(text)
    if "&" in text:
        text = _ENTITY.sub(" ", text)
    text = " ".join(text.strip(punctuation).split())
    return text[:MAX_LENGTH].strip().lower()[:MAX_LENGTH]


def title_hash(normalized: str) -> str:
    """The MD5 of a normalized title, in hex; "" for one without letter or digit: it means nothing.

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
