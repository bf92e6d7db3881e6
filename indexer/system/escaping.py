r"""Text for terminals, logs and exports: hidden characters are written as JSON escapes (\u202e).

Terminals obey control characters. Format characters can't be seen, and some of them reorder the
text around them; programs take line separators for ends of lines.
"""

import re

# Unicode 15's categories Cc (without tab and line feed), Zl, Zp, Cs and Cf. The zero-width
# (non-)joiners U+200C and U+200D are not among them, as the spelling of Persian, Hindi and other
# languages needs them.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff"
    "\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f\ufffe\uffff]"
)


def escaped(text: str) -> str:
    r"""Write control and format characters, line separators and lone surrogates as `\uXXXX`.

    Tabs and line feeds stay. Escaping a document of JSON doesn't change what it says.
    """
    return _HIDDEN.sub(_escape, text)


def escaped_line(text: str) -> str:
    r"""Like `escaped`, and line feeds as `\n`: a text can't pass for several lines."""
    return escaped(text).replace("\n", r"\n")


def _escape(found: re.Match[str]) -> str:
    # JSON writes characters beyond U+FFFF as two surrogates, like UTF-16.
    return _UNIT.sub(r"\\u\g<0>", found[0].encode("utf-16-be", "surrogatepass").hex())


_UNIT = re.compile("....")
