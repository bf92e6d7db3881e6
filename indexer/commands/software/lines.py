"""Lines: the line of a file in which a JSON pointer's value is, as far as that is cheap to know."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice

import yaml
from lxml import etree

from indexer.software.syntax.tree import below

MAX_DEPTH = 50
"""The depth to which lines are looked for."""

MAX_REPEATS = 200
"""The most lines that are looked at for one key."""

HEADERS = ("pkg-info", "metadata", "control")
"""Endings of names of files whose repeated keys are lists."""

YAML = (".cff", ".yaml", ".yml")
"""Endings of names of YAML files."""

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)


class FileLines:
    """The lines of the values of one file."""

    def __init__(self, path: str, content: bytes) -> None:
        self._text = content.decode("utf-8-sig", "replace")
        self._repeats = path.lower().endswith(HEADERS)
        self._known: Mapping[str, int] | None = None
        start = self._text.lstrip()
        if path.lower().endswith(YAML):
            # A template of YAML is no YAML.
            self._known = yaml_lines(self._text) or None
        elif start.startswith(("{", "//", "/*")):
            self._known = json_lines(self._text)
        elif start.startswith("<"):
            self._known = xml_lines(content)

    def of(self, place: str) -> int | None:
        """Return the line, from 1, of the value at a JSON pointer; None if it isn't known.

        In other syntaxes than JSON, YAML and XML, a line is known if it alone begins with the key.
        """
        if self._known is not None:
            return self._known.get(place)
        steps = place.split("/")[1:]
        keys = [step for step in steps if step and not step.isdigit()]
        if not keys:
            return None
        found = self._lines_with(keys[-1].replace("~1", "/").replace("~0", "~"))
        if len(found) > 1 and self._repeats and len(steps) == 2 and steps[1].isdigit():
            found = found[int(steps[1][:6]) :][:1]
        return found[0] if len(found) == 1 else None

    def _lines_with(self, key: str) -> list[int]:
        pattern = (
            rf"^[ \t]*(?:-[ \t]|<|\w+\.)?[\"']?{re.escape(key)}[\"']?(?:[ \t]*[:=>]|[ \t]+\w+=)"
        )
        found = re.finditer(pattern, self._text, re.MULTILINE | re.IGNORECASE)
        return [self._text.count("\n", 0, each.start()) + 1 for each in islice(found, MAX_REPEATS)]


def json_lines(text: str) -> dict[str, int]:
    """Return the line of each value of a JSON text by its pointer: that of its key, if it has one.

    Values deeper than `MAX_DEPTH` have none. A text that is not JSON has any result.
    """
    found: dict[str, int] = {}
    frames: list[_Frame] = []
    line, at = 1, 0
    for match in _TOKEN.finditer(text):
        line += text.count("\n", at, match.start())
        at, piece = match.start(), match[0]
        frame = frames[-1] if frames else None
        if piece.startswith("/"):
            continue  # a comment
        if piece == "," and frame:
            frame.next()
        elif piece in ("}", "]") and frames:
            frames.pop()
        elif piece not in (",", ":", "}", "]"):
            if frame and frame.key is None:
                frame.key = piece[1:-1]
                found[frame.place()] = line
                continue
            place = frame.place() if frame else ""
            found.setdefault(place, line)
            if piece in ("{", "["):
                if len(frames) >= MAX_DEPTH:
                    break
                frames.append(_Frame(place, 0 if piece == "[" else None))
    return found


def yaml_lines(text: str) -> dict[str, int]:
    """Return the line of each value of a YAML text by its pointer, as `json_lines` does."""
    try:
        root = yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, RecursionError, ValueError):
        return {}
    found: dict[str, int] = {}
    # An alias is the node that it stands for: each node is visited once.
    seen: set[int] = set()
    waiting = [("", root, 0)]
    while waiting:
        place, node, depth = waiting.pop()
        if id(node) in seen or depth > MAX_DEPTH:
            continue
        seen.add(id(node))
        inner = [(below(place, key), line, value) for key, line, value in _children(node)]
        found.update((each, line) for each, line, _ in inner)
        waiting += [(each, value, depth + 1) for each, _, value in reversed(inner)]
    return found


def _children(node: yaml.Node | None) -> Iterator[tuple[str | int, int, yaml.Node]]:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode):
                yield key.value, key.start_mark.line + 1, value
    elif isinstance(node, yaml.SequenceNode):
        for number, item in enumerate(node.value):
            yield number, item.start_mark.line + 1, item


def xml_lines(content: bytes) -> dict[str, int]:
    """Return the line of each element of an XML text by its pointer below the root element.

    Pointers below the children of the root are known, too, as formats may begin there.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        root = etree.fromstring(content.lstrip(), parser)
    except (etree.XMLSyntaxError, ValueError):
        return {}
    first = content[: len(content) - len(content.lstrip())].count(b"\n")
    found = _xml_places(root, first)
    for child in root.iterchildren("*"):
        for place, line in _xml_places(child, first).items():
            found.setdefault(place, line)
    return found


def _xml_places(root: etree._Element, first: int) -> dict[str, int]:
    found: dict[str, int] = {}
    waiting = [("", root, 0)]
    while waiting:
        place, element, depth = waiting.pop()
        found[place] = line = first + _line(element)
        found.update((below(place, f"@{key!s}"), line) for key in element.attrib)
        children = [(etree.QName(each).localname, each) for each in element.iterchildren("*")]
        counts = Counter(name for name, _ in children)
        numbers: Counter[str] = Counter()
        for name, child in children if depth < MAX_DEPTH else ():
            inner = below(place, name)
            found.setdefault(inner, first + _line(child))
            waiting.append(
                (below(inner, numbers[name]) if counts[name] > 1 else inner, child, depth + 1)
            )
            numbers[name] += 1
    return found


def _line(element: etree._Element) -> int:
    line = element.sourceline
    return line if isinstance(line, int) else 1


class _Frame:
    """An object or a list that is open, and the key or the number of its value."""

    def __init__(self, parent: str, key: str | int | None) -> None:
        self.parent = parent
        self.key = key

    def place(self) -> str:
        return below(self.parent, "" if self.key is None else self.key)

    def next(self) -> None:
        self.key = self.key + 1 if isinstance(self.key, int) else None
