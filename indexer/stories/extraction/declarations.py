"""The parts of a page in which it declares its title and its language.

`mcmetadata` searches them with regular expressions, whose time grows with the square of a page that
opens tags and closes none: 100 kB of `<h1>` take 6 seconds. In these parts it finds the same.
"""

import re

MAX_TAG = 2000
"""The most characters of a tag. Longer ones declare other things, such as images."""

MAX_ELEMENT = 10_000
"""The most characters of a title or a heading."""

# Possessive, because a tag that does not end must not be tried again from each of its characters.
_DECLARING = re.compile(rf"<(?:html|meta)\b[^>]{{0,{MAX_TAG}}}+>", re.IGNORECASE)
_ELEMENTS = tuple(
    (
        re.compile(rf"<{name}(?: [^>]{{0,{MAX_TAG}}}+)?>", re.IGNORECASE),
        re.compile(f"</{name}>", re.IGNORECASE),
    )
    for name in ("title", "h1")
)


def declarations(page: str) -> str:
    """The <html> and <meta> tags of a page, its first <title>, and its first <h1>."""
    parts = _DECLARING.findall(page)
    for begin, end in _ELEMENTS:
        # If the first one is not closed, none after it is.
        if (first := begin.search(page)) and (last := end.search(page, first.end())):
            parts += first[0], page[first.end() : last.start()][:MAX_ELEMENT], last[0]
    return "\n".join(parts)
