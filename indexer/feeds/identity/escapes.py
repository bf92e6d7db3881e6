"""Percent-encoding in one form: an IRI and its encoded twin are the same text."""

import re

_NORMAL = re.compile(
    r"""(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?\#]++  # unreserved and reserved
        |%(?:[0189A-F][0-9A-F]|2[0-9A-CF]|3[A-F]|40|5[B-E]|60|7[B-DF])
        )*+""",
    re.VERBOSE,
)
_ODD = re.compile(
    r"""(?P<bytes>(?:%[89a-fA-F][0-9a-fA-F])+)  # not ASCII
        |%(?P<ascii>[0-7][0-9a-fA-F])
        |(?P<raw>[^A-Za-z0-9\-._~!$&'()*+,;=:@/?\#%]+)
        |%""",
    re.VERBOSE,
)
# RFC 3986, 2.3: escaping these characters never changes the meaning of a URL.
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


def normal(text: str) -> str:
    """A part of a URL in ASCII: unreserved characters plain, others as upper-case UTF-8 escapes.

    Escapes of reserved characters (`%2F`, `%26`) stay: the plain character has another meaning.
    Raises ValueError for lone surrogates.
    """
    # Most URLs are normal already, and the test is quicker than the substitution.
    return text if _NORMAL.fullmatch(text) else _ODD.sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    if found["bytes"]:
        return found["bytes"].upper()
    if found["ascii"]:
        char = chr(int(found["ascii"], 16))
        return char if char in _UNRESERVED else f"%{found['ascii'].upper()}"
    return "".join(f"%{byte:02X}" for byte in (found["raw"] or "%").encode())
