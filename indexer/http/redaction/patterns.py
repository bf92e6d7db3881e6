"""Regular expressions for secrets in HTTP messages: by name, and by value in the usual encodings.

Each pattern has one group: the bytes to replace.
"""

import base64
import re
from collections.abc import Iterable, Iterator
from typing import TypeAlias

Pattern: TypeAlias = re.Pattern[bytes]

_HTML = {"&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos"}
_BASE64 = rb"[A-Za-z0-9+/_-]"
_LINES = rb"(?:[^\r\n]|\r(?!\n)|\r?\n[ \t])*+"

# A name begins behind a character that can't be in a name, or behind an encoded delimiter.
_BEFORE = rb"(?:(?<![\w.-])|%(?:25)*(?:2[0236]|3[BFbf])|\\u00(?:26|3[Ff]))"
_EQUALS = rb"(?:=|%(?:25)*3[Dd]|\\u003[Dd])(?:\\?[\"'])?"
_PARAMETER = rb"((?:[^&#\s\"<>\\]|\\/|\\u(?!00(?:2[0236]|3[CEce])))*+)"

_STRING = rb"\"((?:[^\"\\]|\\.)*+)"
_INNER_STRING = rb"\\\"((?:[^\"\\]|\\\\(?:\\.|.)|\\(?![\"\\]).)*+)"
_OTHER_VALUE = rb"([\[{]|-?[0-9][0-9.eE+-]*)"
# The head of a part of a form (RFC 7578) is limited, so that the search stays linear.
_PART = rb"[^\n]{0,999}\n(?:[^\r\n]{1,999}\r?\n){0,9}+\r?\n((?:(?!\r?\n--).)*+)"


def header_lines(names: Iterable[str]) -> Pattern:
    """Values of headers with these names, with their continuation lines (RFC 9112, 5.2)."""
    either = b"|".join(re.escape(name.encode()) for name in names)
    return re.compile(rb"(?<=[\r\n])(?i:%b)[ \t]*:[ \t]*(%b)" % (either, _LINES))


def fields(names: Iterable[str]) -> Iterator[Pattern]:
    """Values of fields with these names: in URLs, forms of both types, strings of JSON.

    JSON may also be escaped, as a string within JSON.
    """
    name = _either(names)
    yield re.compile(_BEFORE + name + _EQUALS + _PARAMETER)
    yield re.compile(rb"\"" + name + rb"\"\s*:\s*" + _STRING, re.DOTALL)
    yield re.compile(rb"\\\"" + name + rb"\\\"\s*:\s*" + _INNER_STRING, re.DOTALL)
    part = rb"(?i:form-data)[^\n]{0,999}?[; ]name=\"?" + name + rb"(?=[\";\s])" + _PART
    yield re.compile(part, re.DOTALL)


def json_values(names: Iterable[str]) -> Pattern:
    """Numbers that are values of these fields in JSON, and the first bracket of other values."""
    return re.compile(rb"\"" + _either(names) + rb"\"\s*:\s*" + _OTHER_VALUE)


def values(secret: str) -> Iterator[Pattern]:
    """A secret: as it is, percent-encoded, escaped for JSON or HTML, and in Base64."""
    yield re.compile(b"(%b)" % _encoded(secret))
    data = secret.encode()
    # Base64 encodes three bytes as four characters, so there are three alignments. The first and
    # the last character may also encode bytes beside the secret.
    for shift, skipped in enumerate((0, 2, 3)):
        text = base64.b64encode(bytes(shift) + data).rstrip(b"=")
        core = text[skipped:-1] if len(text) % 4 else text[skipped:]
        before = _BASE64 if shift else b""
        inside = b"".join(_base64_character(chr(code)) for code in core)
        yield re.compile(b"(%b%b%b?={0,2})" % (before, inside, _BASE64))


def _either(names: Iterable[str]) -> bytes:
    return b"(?i:%b)" % b"|".join(map(_encoded, names))


def _base64_character(character: str) -> bytes:
    """A character of both alphabets of Base64, also escaped for JSON or percent-encoded."""
    match character:
        case "+":
            return rb"(?:[+-]|%(?:25)*2[Bb])"
        case "/":
            return rb"(?:\\?/|_|%(?:25)*2[Ff])"
        case _:
            return character.encode()


def _encoded(text: str) -> bytes:
    # Each character by itself: which of them are encoded differs from program to program.
    return b"".join(b"(?:%b)" % b"|".join(_forms(character)) for character in text)


def _forms(character: str) -> Iterator[bytes]:
    """The encodings of a character, the longer ones first: some begin with the character."""
    units = character.encode("utf-16-be").hex()
    yield b"".join(rb"\\u(?i:%b)" % units[at : at + 4].encode() for at in range(0, len(units), 4))
    yield b"".join(b"%%(?:25)*(?i:%02x)" % byte for byte in character.encode())
    yield b"&#(?:0*%d|[xX]0*(?i:%x));" % (ord(character), ord(character))
    if character in _HTML:
        yield b"&%b;" % _HTML[character].encode()
    if character in '"\\/':
        yield rb"\\{1,7}" + re.escape(character.encode())
    yield re.escape(character.encode())
    if character == " ":
        yield rb"\+"
