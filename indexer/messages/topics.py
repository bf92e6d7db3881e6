"""Topic patterns: which routing keys a binding takes (AMQP 0-9-1, 3.1.3.3).

A key is a list of words with dots between them. In a pattern `*` stands for one word, `#` for any
number of words.
"""

from collections.abc import Sequence

ALL = "#"
"""The pattern that matches every key."""


def matches(pattern: str, key: str) -> bool:
    """Whether a topic binding's pattern matches a routing key."""
    return _match(_words(pattern), _words(key))


def overlap(one: str, other: str) -> bool:
    """Whether there is a routing key that both patterns match."""
    return _overlap(_words(one), _words(other))


def _words(text: str) -> list[str]:
    """The words of a key. As in RabbitMQ, an empty key has no word: `*` doesn't match it."""
    return text.split(".") if text else []


def _match(pattern: Sequence[str], words: Sequence[str]) -> bool:
    if not pattern:
        return not words
    if pattern[0] == "#":
        return any(_match(pattern[1:], words[start:]) for start in range(len(words) + 1))
    return bool(words) and pattern[0] in ("*", words[0]) and _match(pattern[1:], words[1:])


def _overlap(one: Sequence[str], other: Sequence[str]) -> bool:
    if not one or not other:
        return all(word == "#" for word in (*one, *other))
    if one[0] == "#":
        # It stands for no word, or for the first word of the other pattern and perhaps more.
        return _overlap(one[1:], other) or _overlap(one, other[1:])
    if other[0] == "#":
        return _overlap(other, one)
    return (one[0] == other[0] or "*" in (one[0], other[0])) and _overlap(one[1:], other[1:])
