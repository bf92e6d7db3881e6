"""Expressions of Ruby whose value is written out: texts, lists, hashes, names of known values."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from indexer.software.syntax.ruby.tokens import RubyToken
from indexer.software.syntax.tree import Tree

MAX_DEPTH = 20
"""The most brackets inside of each other; a deeper value is unknown."""

MAX_LENGTH = 100_000
"""The most characters of a text, and items of a sum of lists."""

_END = RubyToken("newline", "")

_SAME = frozenset(
    {"freeze", "strip", "dup", "to_s", "chomp", "rstrip", "lstrip", "uniq", "flatten", "squish"}
)
"""Methods whose result is the value itself, apart from white space."""

_WHITE_SPACE = re.compile(r"/\^?(?:\\s|\\n|\\t|[ +*$|()])+/[a-z]*")
"""Patterns of white space, as in `gsub(/\\s+/, " ")`."""

_INTERPOLATION = re.compile(r"#\{\s*([\w.:@]+)\s*\}")


class UnknownValue(Exception):
    """An expression whose value only running the code would tell; never leaves this room."""


@dataclass(slots=True)
class Expressions:
    """Reads expressions from a sequence of tokens, at a place that moves on.

    `names`: the known values of variables, constants and attributes, such as `VERSION` or `s.name`.
    """

    tokens: Sequence[RubyToken]
    names: Mapping[str, Tree]
    at: int = 0

    def peek(self, ahead: int = 0) -> RubyToken:
        """Return a token without taking it."""
        place = self.at + ahead
        return self.tokens[place] if place < len(self.tokens) else _END

    def take(self, text: str) -> bool:
        """Take the next token if it is this sign or name."""
        found = self.peek()
        taken = found.kind in ("sign", "name") and found.text == text
        self.at += taken
        return taken

    def whole(self) -> Tree:
        """Return the value at the end of a statement; `"A", "B"` is a list. Raises UnknownValue."""
        values = [self.value()]
        while self.take(","):
            self.skip_lines()
            values.append(self.value())
        after = self.peek()
        if after.kind != "newline" and after.text not in ("if", "unless", "}", "end"):
            raise UnknownValue(after.text)
        return values if len(values) > 1 else values[0]

    def skip_lines(self) -> None:
        """Move behind line breaks, which mean nothing inside of an expression."""
        while self.peek() == RubyToken("newline", "\n"):
            self.at += 1

    def arguments(self) -> list[Tree]:
        """Return the values of the arguments of a call; unknown ones end them."""
        self.take("(")
        found: list[Tree] = []
        try:
            while self.peek().kind != "newline":
                found.append(self.value())
                if not self.take(","):
                    break
                self.skip_lines()
        except UnknownValue:
            pass
        self.take(")")
        return found

    def value(self, depth: int = 0) -> Tree:
        """Return the value of an expression. Raises UnknownValue."""
        value = self._operand(depth)
        while self.take("+"):
            self.skip_lines()
            value = _sum(value, self._operand(depth))
        return value

    def _operand(self, depth: int) -> Tree:
        if depth > MAX_DEPTH:
            raise UnknownValue("too deep")
        value = self._primary(depth)
        while self.peek().text == "." and self.peek().kind == "sign":
            self.at += 1
            value = self._method(value)
        return value

    def _primary(self, depth: int) -> Tree:
        token = self.peek()
        self.at += 1
        match token.kind:
            case "text" | "template":
                return self._adjacent(token)
            case "words":
                return [*token.text.split()]
            case "symbol" | "number":
                return token.text
            case "name":
                return self._named(token.text)
            case _:
                return self._bracket(token.text, depth)

    def _bracket(self, sign: str, depth: int) -> Tree:
        match sign:
            case "[":
                return self._items("]", depth)
            case "{":
                return self._pairs(depth)
            case "(":
                value = self.value(depth + 1)
                self.take(")")
                return value
        raise UnknownValue(sign)

    def _adjacent(self, token: RubyToken) -> str:
        parts = [self._interpolated(token)]
        while self.peek().kind in ("text", "template"):
            parts.append(self._interpolated(self.peek()))
            self.at += 1
        return "".join(parts)

    def _interpolated(self, token: RubyToken) -> str:
        """The text; what is interpolated stays as it is written, unless its value is known."""
        if token.kind == "text" or "#{" not in token.text:
            return token.text
        return _bounded(
            _INTERPOLATION.sub(
                lambda match: (
                    known if isinstance(known := self.names.get(match[1]), str) else match[0]
                ),
                token.text,
            )
        )

    def _named(self, name: str) -> Tree:
        if name in ("nil", "true", "false"):
            return {"nil": None, "true": True, "false": False}[name]
        if name == "Gem::Version" and self.peek(1).text == "new":
            self.at += 2
            return (self.arguments() or [None])[0]
        if self.peek().text == "." and f"{name}.{self.peek(1).text}" in self.names:
            name = f"{name}.{self.peek(1).text}"
            self.at += 2
        # `Foo::VERSION` is defined as `VERSION` inside of `module Foo`.
        for known in (name, name.rpartition("::")[2]):
            if known in self.names:
                return self.names[known]
        raise UnknownValue(name)

    def _items(self, closing: str, depth: int) -> list[Tree]:
        found: list[Tree] = []
        self.skip_lines()
        while not self.take(closing):
            found.append(self.value(depth + 1))
            self.skip_lines()
            if not self.take(",") and self.peek().text != closing:
                raise UnknownValue("list")
            self.skip_lines()
        return found

    def _pairs(self, depth: int) -> dict[str, Tree]:
        found: dict[str, Tree] = {}
        self.skip_lines()
        while not self.take("}"):
            if self.peek().kind == "name" and self.peek(1).text == ":":
                key: Tree = self.peek().text
                self.at += 1
            else:
                key = self._operand(depth + 1)
            if not isinstance(key, str) or not (self.take("=>") or self.take(":")):
                raise UnknownValue("hash")
            self.skip_lines()
            found[key] = self.value(depth + 1)
            self.skip_lines()
            self.take(",")
            self.skip_lines()
        return found

    def _method(self, value: Tree) -> Tree:
        name = self.peek().text
        self.at += 1
        arguments: list[Tree] = []
        if name in ("gsub", "gsub!", "tr") and isinstance(value, str):
            return self._folded(value)
        if self.peek() == RubyToken("sign", "("):
            arguments = self.arguments()
        if name in _SAME:
            return value
        separator = arguments[0] if arguments else None
        if name == "split" and isinstance(value, str) and isinstance(separator, str | None):
            return [*value.split(separator or None)]
        if name == "join" and isinstance(value, list):
            return str(separator or "").join(each for each in value if isinstance(each, str))
        raise UnknownValue(name)

    def _folded(self, text: str) -> str:
        """A text in which white space is replaced: each run of it becomes one blank."""
        self.take("(")
        pattern = self.peek()
        blank = pattern.kind == "regex" and _WHITE_SPACE.fullmatch(pattern.text)
        if not blank and pattern.text.strip():
            raise UnknownValue(pattern.text)
        self.at += 1
        while self.peek().kind != "newline" and not self.take(")"):
            self.at += 1
        return " ".join(text.split())


def _sum(left: Tree, right: Tree) -> Tree:
    if isinstance(left, str) and isinstance(right, str):
        return _bounded(left + right)
    if isinstance(left, list) and isinstance(right, list) and len(left + right) <= MAX_LENGTH:
        return left + right
    raise UnknownValue("+")


def _bounded(text: str) -> str:
    """The text; values that hold each other would double with each line."""
    if len(text) > MAX_LENGTH:
        raise UnknownValue("too long")
    return text
