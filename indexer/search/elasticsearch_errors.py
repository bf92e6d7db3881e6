"""What Elasticsearch's errors say."""

from typing import Any


def reason(body: Any) -> str:
    """What an error of Elasticsearch says, with its innermost cause."""
    error = body.get("error") if isinstance(body, dict) else body
    if not isinstance(error, dict):
        return str(error or "")
    cause = error
    while isinstance(cause.get("caused_by"), dict):
        cause = cause["caused_by"]
    reasons = dict.fromkeys((error.get("reason"), cause.get("reason")))
    return f"{error.get('type')}: " + ": ".join(str(text) for text in reasons if text)
