"""Links with labels: `Source`, `Bug Tracker`, `Homepage` → the terms that they stand for."""

import re

TERMS = {
    **dict.fromkeys(("homepage", "home", "website", "web", "landingpage"), "url"),
    **dict.fromkeys(("source", "sourcecode", "code", "repository", "repo"), "codeRepository"),
    **dict.fromkeys(("github", "gitlab", "vcs", "git", "sources"), "codeRepository"),
    **dict.fromkeys(("issues", "issue", "tracker", "bugs", "bugreports"), "issueTracker"),
    **dict.fromkeys(("bugtracker", "issuetracker", "bugreport"), "issueTracker"),
    **dict.fromkeys(("changelog", "changes", "releasenotes", "history", "news"), "releaseNotes"),
    **dict.fromkeys(("download", "downloads"), "downloadUrl"),
    **dict.fromkeys(("ci", "continuousintegration", "build"), "continuousIntegration"),
    **dict.fromkeys(("funding", "donate", "donation", "sponsor", "sponsors"), "funding"),
}
"""The term for each label, in lower case and of letters only."""

OTHERS = "relatedLink"
"""The term of documentation and of all other labels."""

_LETTERS = re.compile(r"[^a-z]")


def term_of(label: str) -> str:
    """Return the term that a link with a label is a value of."""
    return TERMS.get(
        _LETTERS.sub("", label.lower().removesuffix("_uri").removesuffix("url")), OTHERS
    )


ALL_TERMS = (*dict.fromkeys(TERMS.values()), OTHERS)
"""Every term that a label may stand for."""
