"""ORCID iDs: in any spelling, checked, as the IRI of the person."""

import re

IRI = "https://orcid.org/"

_SPELLING = re.compile(
    r"(?:(?:https?://)?(?:www\.)?orcid\.org/|orcid(?:\s+id)?:?\s*)?"
    r"(\d{4})[-\s]?(\d{4})[-\s]?(\d{4})[-\s]?(\d{3}[\dX])/?",
    re.IGNORECASE,
)


def orcid_iri(text: str) -> str | None:
    """Return the IRI of an ORCID iD, or None if the text is none or its check digit is wrong."""
    found = _SPELLING.fullmatch(text.strip())
    if found is None:
        return None
    blocks = [block.upper() for block in found.groups()]
    if _check_digit("".join(blocks)[:-1]) != blocks[-1][-1]:
        return None
    return IRI + "-".join(blocks)


def _check_digit(digits: str) -> str:
    """The check digit of ISO/IEC 7064, MOD 11-2."""
    total = 0
    for digit in digits:
        total = (total + int(digit)) * 2
    rest = (12 - total % 11) % 11
    return "X" if rest == 10 else str(rest)
