"""Gemspecs: the attributes that a gem's specification assigns, without running its code."""

from contextlib import suppress
from dataclasses import dataclass, field

from indexer.errors import UnreadableManifest
from indexer.software.syntax.encoding import text_of
from indexer.software.syntax.limits import bounded
from indexer.software.syntax.ruby.expressions import Expressions, UnknownValue
from indexer.software.syntax.ruby.tokens import RubyToken, tokens
from indexer.software.syntax.tree import Tree
from indexer.software.syntax.yaml_file import read_yaml_text

MAX_BYTES = 200_000
"""The size of the largest gemspec that is read: lists of files make some of them long."""

UNKNOWN = "#unknown"
"""The key of the names of attributes whose values only running the code would tell."""

DEPENDENCIES = "dependencies"
"""The key of the calls of `add_dependency` and the like: name, version, type."""

_KINDS = {
    "add_dependency": "runtime",
    "add_runtime_dependency": "runtime",
    "add_development_dependency": "development",
}


def read_gemspec(content: bytes) -> Tree:
    """Return the attributes of a gemspec in Ruby or YAML. Raises UnreadableManifest.

    The last assignment of an attribute wins. Texts that are interpolated stay as they are written,
    unless the same file has their values.
    """
    if len(content) > MAX_BYTES:
        raise UnreadableManifest(f"{len(content):,} bytes: above the limit of {MAX_BYTES:,}")
    text = text_of(content)
    if text.lstrip().startswith("---"):
        return read_yaml_text(text)
    return bounded(_Specification(list(tokens(text))).read())


@dataclass(slots=True)
class _Specification:
    """The reading of one gemspec."""

    tokens: list[RubyToken]
    variable: str = ""
    known: dict[str, Tree] = field(default_factory=dict)
    found: dict[str, Tree] = field(default_factory=dict)

    def read(self) -> dict[str, Tree]:
        """The attributes. Raises UnreadableManifest if no specification is made."""
        for at, token in enumerate(self.tokens):
            if token.kind != "name" or (at and self.tokens[at - 1].text == "."):
                continue
            if token.text.endswith(("Gem::Specification", "Jeweler::Tasks")):
                self._open(at)
            elif token.text == self.variable:
                self._statement(at)
            else:
                self._constant(at)
        if not self.variable:
            raise UnreadableManifest("not a gemspec: no Gem::Specification.new")
        return self.found

    def _open(self, at: int) -> None:
        """Read `Gem::Specification.new("name", "version") do |s|`, or `s = Gem::…new`."""
        there = Expressions(self.tokens, self.known, at + 1)
        if not (there.take(".") and there.take("new")):
            return
        if there.peek().text not in ("do", "{"):
            for key, value in zip(("name", "version"), there.arguments(), strict=False):
                self._assign(key, value)
        if there.take("do") or there.take("{"):
            there.take("|")
            self.variable = there.peek().text
        elif at >= 2 and self.tokens[at - 1].text == "=":
            self.variable = self.tokens[at - 2].text

    def _statement(self, at: int) -> None:
        there = Expressions(self.tokens, self.known, at + 1)
        if not there.take("."):
            return
        key = there.peek().text
        there.at += 1
        if key in _KINDS:
            self._add_dependency(there.arguments(), _KINDS[key])
        elif key == "metadata" and there.peek().text == "[":
            self._metadata(there)
        elif there.peek().text in ("=", "+=", "<<", "||="):
            added = there.peek().text in ("+=", "<<")
            there.at += 1
            self._assigned(key, there, added=added)

    def _assigned(self, key: str, there: Expressions, *, added: bool) -> None:
        # In `s.name = s.summary = "…"` the value is behind the last sign.
        while there.peek().text == self.variable and there.peek(3).text == "=":
            there.at += 4
        there.skip_lines()
        try:
            value = there.whole()
        except UnknownValue:
            self._unknown(key)
            return
        known = self.found.get(key)
        if added and isinstance(known, list):
            value = [*known, *(value if isinstance(value, list) else [value])]
        self._assign(key, value)

    def _metadata(self, there: Expressions) -> None:
        there.at += 1
        try:
            name = there.value()
            if not (there.take("]") and there.take("=")):
                return
            value = there.whole()
        except UnknownValue:
            self._unknown("metadata")
            return
        metadata = self.found.setdefault("metadata", {})
        if isinstance(metadata, dict) and isinstance(name, str):
            metadata[name] = value

    def _assign(self, key: str, value: Tree) -> None:
        self.found[key] = value
        self.known[f"{self.variable}.{key}"] = value

    def _constant(self, at: int) -> None:
        there = Expressions(self.tokens, self.known, at + 1)
        if not there.take("="):
            return
        with suppress(UnknownValue):
            self.known[self.tokens[at].text] = there.whole()

    def _unknown(self, key: str) -> None:
        names = self.found.setdefault(UNKNOWN, [])
        if isinstance(names, list) and key not in names:
            names.append(key)

    def _add_dependency(self, arguments: list[Tree], kind: str) -> None:
        match arguments:
            case [str(name), *others]:
                versions: list[Tree] = [each for each in others if isinstance(each, str | list)]
                calls = self.found.setdefault(DEPENDENCIES, [])
                if isinstance(calls, list):
                    calls.append({"name": name, "version": versions, "type": kind})
