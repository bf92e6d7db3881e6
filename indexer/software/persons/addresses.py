"""E-mail addresses and URLs, as people write them beside names."""

import re

_WEB = re.compile(r"(?:https?|ftp)://[^\s/<>\"{}|\\^`]+[^\s<>\"{}|\\^`]*", re.IGNORECASE)
_MAIL = re.compile(r"[^\s@<>()\[\],;:\"]{1,64}@[^\s@<>()\[\],;:\"]{1,255}")
_MAILTO = "mailto:"
_LONGEST = 400


def email_address(text: str) -> str | None:
    """Return the e-mail address that a text is, without `mailto:`, or None."""
    text = text.strip()
    if text[: len(_MAILTO)].lower() == _MAILTO:
        text = text[len(_MAILTO) :].partition("?")[0].strip()
    if "@" not in text or len(text) > _LONGEST:
        return None
    return text if _MAIL.fullmatch(text) else None


def web_address(text: str) -> str | None:
    """Return the absolute URL that a text is, or None."""
    text = text.strip()
    return text if "://" in text and _WEB.fullmatch(text) else None
