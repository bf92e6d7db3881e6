"""Hostile inputs of a format: its manifests, damaged; trees of wrong types; documents that explode.

The same seed gives the same inputs.
"""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

MANIFESTS = Path(__file__).parents[2] / "tests" / "software" / "corpus" / "manifests"
"""The corpus, as data."""

_LAUGHS = "a0: &a0 [x, x]\n" + "".join(
    f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 40)
)
_ENTITIES = '<!DOCTYPE a [<!ENTITY a "aa">' + "".join(
    f'<!ENTITY a{n} "&a{n - 1};&a{n - 1};">' for n in range(1, 30)
)

BOMBS = (
    *("[" * 50_000, '{"a":' * 20_000, "[" * 60 + "]" * 60, '{"a":[' * 40 + "]}" * 40),
    *(_LAUGHS, "a: &a [*a]", "? {a: b}\n: c", "- " * 5000, "a: " * 2000, "{" * 5000),
    *(f"{_ENTITIES}]><project>&a29;</project>", "<a>" * 10_000, "<project>text</project>"),
    *("<project/>", "<package/>", "<package><metadata/></package>", "<a b='" + "c" * 100_000),
    *(
        "a = " + "[" * 5000,
        ".".join("a" * 5000) + " = 1",
        "[" + "a." * 400 + "a]",
        "[[a]]\n" * 9000,
    ),
    *("X" * 200_000, "a: b\n" * 50_000, "A-B: c\n" * 50_000, " x\n" * 50_000, "\n" * 200_000),
    *("\0" * 1000, "\ufeff" * 10, "", " ", "null", "true", "[]", "{}", '""', "0", "-", "---"),
    *(
        "[metadata]\n" * 9000,
        "[a]\nb = c\n" + " d\n" * 50_000,
        "Name: x\n" + "        y\n" * 50_000,
    ),
    "Gem::Specification.new do |s|\n" + "s.name = s.name + 'a' + \"#{s.name}\"\n" * 2000,
    "Gem::Specification.new do |s|\ns.x = " + "[" * 20_000,
    "Gem::Specification.new do |s|\n" + "s.a << %w[a b]\n" * 5000 + "'" * 999,
    "Gem::Specification.new do |s|\n" + "x = <<A\nA\n" * 5000,
    "Authors@R: c(" + "person(" * 20_000,
    "Package: x\nAuthors@R: " + 'person("A", role = c("aut"' * 5000,
    "<project><properties><a>${a}${a}</a><b>${a}${b}</b></properties><name>"
    + "${b}" * 2000
    + "</name></project>",
    "{% set a = '" + "{{ a }}" * 5000 + "' %}\npackage: {name: '" + "{{ a }}" * 5000 + "'}",
    "library\n" + "".join(f"{' ' * n}if x\n" for n in range(1000)),
)
"""Documents that are small and would take much time, memory or depth."""

TOKENS = (
    *("null", "[]", "{}", "1e999", "1" * 5000, "-0", "NaN", '"', "'", "\\", "\\ud800", "\0", "~"),
    *("*a", "&a", "!!python/object:os.system", "<<: *a", "? ", ": ", "- ", "\t", "\r", "\u2028"),
    *("<", ">", "&amp;", "&x;", "<![CDATA[", "]]>", "${a}", "#{a}", "%w[", "<<~A", "|", ">-", "="),
    *("[" * 100, "{" * 100, "]", "}", ",", ",,,", "(" * 50, "a@b", "<a@b>", "://", "http://[", "é"),
    *("10.1/", "doi:", "pkg:", "0000-0000", "OR", "AND", "WITH", "(MIT", "git@", "github:", "%"),
)

VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1e300, 2**64, "", " ", "x", "é\0", "http://a.b/c", "a@b.c", "<>"),
    *([], {}, [[]], [{}], {"": ""}, [None], {"name": None}, {"name": []}, {"url": {}}, ["a", 1]),
    *({"type": 1, "url": 2}, {"@id": []}, {"@value": {}}, {"@list": {}}, {"id": {"id": "x"}}),
    *("(" * 300, "MIT OR " * 300, "x" * 5000, "a, " * 500, "<" * 500, "A <" * 300),
)


class Hostile:
    """Makes hostile inputs of one format, drawn by chance."""

    def __init__(self, form: str, seed: int = 1) -> None:
        self._chance = random.Random(f"{form} {seed}")  # noqa: S311 - variety, not secrecy
        paths = sorted((MANIFESTS / form).glob("*.in"))
        self._seeds = [path.read_text("utf-8") for path in paths] or ["{}"]
        self._makers = (self._damaged, self._damaged, self._retyped, self._spliced, self._encoded)

    def inputs(self, number: int) -> Iterator[bytes]:
        """Yield every bomb, then damaged manifests, up to a number of inputs."""
        yield from (bomb.encode("utf-8", "surrogatepass") for bomb in BOMBS[:number])
        for _ in range(number - len(BOMBS)):
            yield self._chance.choice(self._makers)()

    def _seed(self) -> str:
        return self._chance.choice(self._seeds)

    def _damaged(self) -> bytes:
        """A manifest with pieces cut out, doubled, or replaced by tokens."""
        text = self._seed()
        for _ in range(self._chance.randint(1, 6)):
            start = self._chance.randrange(len(text) + 1)
            end = min(len(text), start + self._chance.choice((0, 1, 2, 8, 60)))
            piece = self._chance.choice((*TOKENS, "", text[start:end] * 2))
            text = text[:start] + piece + text[end:]
        return text.encode()

    def _spliced(self) -> bytes:
        """The start of one manifest, and the end of another one."""
        first, second = self._seed(), self._seed()
        at = self._chance.randrange(len(first) + 1)
        return (first[:at] + second[self._chance.randrange(len(second) + 1) :]).encode()

    def _encoded(self) -> bytes:
        """A manifest in another encoding, or with bytes of none."""
        content = self._seed().encode(
            self._chance.choice(("utf-16", "utf-16-le", "latin-1", "utf-32", "utf-8-sig")),
            "replace",
        )
        at = self._chance.randrange(len(content) + 1)
        return content[:at] + self._chance.choice((b"", b"\xff", b"\x80\x80", b"\0")) + content[at:]

    def _retyped(self) -> bytes:
        """A manifest of JSON with values of wrong types, and keys twice; others are damaged."""
        try:
            tree = json.loads(self._seed())
        except ValueError:
            return self._replaced_values()
        for _ in range(self._chance.randint(1, 4)):
            tree = self._with_wrong_value(tree)
        text = json.dumps(tree)
        return (text.replace("{", '{"name": 1, "name": {},', 1) if len(text) % 2 else text).encode()

    def _with_wrong_value(self, tree: Any, depth: int = 0) -> Any:
        if not isinstance(tree, dict | list) or not tree or self._chance.random() < 0.2 * depth:
            return self._chance.choice(VALUES)
        if isinstance(tree, list):
            at = self._chance.randrange(len(tree))
            return [*tree[:at], self._with_wrong_value(tree[at], depth + 1), *tree[at + 1 :]]
        key = self._chance.choice([*tree])
        return {**tree, key: self._with_wrong_value(tree[key], depth + 1)}

    def _replaced_values(self) -> bytes:
        """A manifest of lines, in some of which the value is another JSON value."""
        lines = self._seed().splitlines()
        for _ in range(self._chance.randint(1, 4)):
            at = self._chance.randrange(len(lines))
            for sign in (": ", " = ", ">"):
                before, found, _ = lines[at].partition(sign)
                if found:
                    lines[at] = before + sign + json.dumps(self._chance.choice(VALUES))
                    break
        return "\n".join(lines).encode()
