"""Percent-encoding in one form: an IRI and its encoded twin are the same text."""

import re

_NORMAL = re.compile(
    r"""(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?\#]++  # unreserved, and what means something raw
        |%(?:[0189A-F][0-9A-F]|2[0-9A-CF]|3[A-F]|40|5[B-E]|60|7[B-DF])
        )*+""",
    re.VERBOSE,
)
_ODD = re.compile(
    r"""(?P<bytes>(?:%[89a-fA-F][0-9a-fA-F])+)  # of what is not ASCII
        |%(?P<ascii>[0-7][0-9a-fA-F])
        |(?P<raw>[^A-Za-z0-9\-._~!$&'()*+,;=:@/?\#%]+)
        |%""",
    re.VERBOSE,
)
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


def normal(text: str) -> str:
    """A part of a URL in ASCII: what may be plain is plain, all else in upper-case UTF-8 escapes.

    Escapes of what has a meaning when it is plain (`%2F`, `%26`) stay. Raises ValueError for lone
    surrogates.
    """
    return text if _NORMAL.fullmatch(text) else _ODD.sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    if found["bytes"]:
        return found["bytes"].upper()
    if found["ascii"]:
        char = chr(int(found["ascii"], 16))
        return char if char in _UNRESERVED else f"%{found['ascii'].upper()}"
    return "".join(f"%{byte:02X}" for byte in (found["raw"] or "%").encode())
