"""Tokens of a Ruby text: literals as their texts, other tokens by kind."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

_PAIRS = {"(": ")", "[": "]", "{": "}", "<": ">"}

_TOKEN = re.compile(
    r"""
      (?P<space>   [ \t\r]+ | \\\r?\n | \#[^\n]* | ^=begin\b[\s\S]*?(?:^=end[^\n]*|\Z) )
    | (?P<end>     ^__END__$ )
    | (?P<newline> [\n;] )
    | (?P<heredoc> <<[~-]?(?P<quote>['"]?)(?P<tag>[A-Za-z_]\w*)(?P=quote) )
    | (?P<percent> %(?P<type>[qQwWiI]?)(?P<open>[({\[<|!/]) )
    | (?P<text>    '(?:[^'\\]|\\[\s\S])*+' | "(?:[^"\\]|\\[\s\S])*+" )
    | (?P<symbol>  :[A-Za-z_]\w*[?!]? )
    | (?P<name>    [A-Za-z_@$][\w@]*[?!]?(?:::[A-Za-z_]\w*)* )
    | (?P<number>  \d\w*(?:\.\d+)* )
    | (?P<sign>    => | \|\| | && | << | [+|&!=]= | =~ | [\s\S] )
    """,
    re.VERBOSE | re.MULTILINE,
)
_REGEX = re.compile(r"/(?:[^/\\\n]|\\.)*+/[a-z]*")
_ESCAPE = re.compile(r"\\(?:u\{?([0-9a-fA-F]{4,5})\}?|([\s\S]))")
_CONTROLS = {"n": "\n", "t": "\t", "s": " ", "\n": ""}


class RubyToken(NamedTuple):
    """A token, without quotes and escapes.

    Kinds: `text`, `template` (a text that may hold `#{…}`), `words` (with blanks between them),
    `regex`, `symbol`, `name`, `number`, `newline`, and `sign` for all others.
    """

    kind: str
    text: str


_LINE_BREAK = RubyToken("newline", "\n")


def tokens(text: str) -> Iterator[RubyToken]:
    """Yield the tokens of a Ruby text without its remarks, up to a literal that has no end."""
    place = _Place(text)
    while match := _TOKEN.match(text, place.at):
        kind, place.at = str(match.lastgroup), match.end()
        if kind == "space":
            continue
        token = _READERS.get(kind, _simple)(place, match)
        if token is None:
            return
        place.last = token
        yield token


@dataclass(slots=True)
class _Place:
    """How far a text is read: behind the last token, and behind the bodies of heredocs."""

    text: str
    at: int = 0
    after_heredocs: int = 0
    last: RubyToken = _LINE_BREAK


def _simple(_place: _Place, match: re.Match[str]) -> RubyToken | None:
    return RubyToken(str(match.lastgroup), match[0])


def _end(_place: _Place, _match: re.Match[str]) -> None:
    return None


def _line_break(place: _Place, match: re.Match[str]) -> RubyToken:
    if match[0] == "\n":
        place.at = max(place.at, place.after_heredocs)
    return RubyToken("newline", match[0])


def _heredoc(place: _Place, match: re.Match[str]) -> RubyToken | None:
    """The token of a heredoc, whose body starts in the next line."""
    start = place.text.find("\n", max(place.at, place.after_heredocs - 1)) + 1
    closing = re.compile(rf"^[ \t]*{match['tag']}[ \t]*\r?$", re.MULTILINE)
    if not start or not (end := closing.search(place.text, start)):
        return None
    place.after_heredocs = end.end() + 1
    return _quoted(place.text[start : end.start()], raw=match["quote"] == "'")


def _percent(place: _Place, match: re.Match[str]) -> RubyToken | None:
    end = _closing(place.text, place.at, match["open"])
    body = place.text[place.at : end - 1]
    place.at = end
    if not end:
        return None
    if match["type"] and match["type"] in "wWiI":
        return RubyToken("words", body)
    return _quoted(body, raw=match["type"] == "q")


def _text(_place: _Place, match: re.Match[str]) -> RubyToken:
    return _quoted(match[0][1:-1], raw=match[0][0] == "'")


def _symbol(_place: _Place, match: re.Match[str]) -> RubyToken:
    return RubyToken("symbol", match[0][1:])


def _sign(place: _Place, match: re.Match[str]) -> RubyToken | None:
    sign = match[0]
    if sign in "'\"":
        return None
    if sign == "/" and _starts_regex(place.last):
        if not (regex := _REGEX.match(place.text, match.start())):
            return None
        place.at = regex.end()
        return RubyToken("regex", regex[0])
    return RubyToken("sign", sign)


_READERS: dict[str, Callable[[_Place, re.Match[str]], RubyToken | None]] = {
    "end": _end,
    "heredoc": _heredoc,
    "newline": _line_break,
    "percent": _percent,
    "sign": _sign,
    "symbol": _symbol,
    "text": _text,
}
"""The reader of each kind of token; None ends the reading."""


def _starts_regex(last: RubyToken) -> bool:
    """Whether a slash after a token starts a literal, and is no division."""
    return last.kind == "newline" or (last.kind == "sign" and last.text not in ")]}")


def _closing(text: str, at: int, opening: str) -> int:
    """The place after the sign that ends a `%` literal, or 0."""
    closing = _PAIRS.get(opening, opening)
    depth = 1
    for sign in re.compile(rf"\\[\s\S]|[{re.escape(opening + closing)}]").finditer(text, at):
        if sign[0] == closing:
            depth -= 1
        elif sign[0] == opening:
            depth += 1
        if not depth:
            return sign.end()
    return 0


def _quoted(body: str, *, raw: bool) -> RubyToken:
    if raw:
        return RubyToken("text", re.sub(r"\\([\\'])", r"\1", body))
    return RubyToken("template", _ESCAPE.sub(_unescaped, body))


def _unescaped(match: re.Match[str]) -> str:
    if match[1]:
        # A surrogate alone would fit into no output.
        return chr(int(match[1], 16)).encode("utf-8", "replace").decode()
    return _CONTROLS.get(match[2], match[2])
