"""What a labelled page is made of: a story of the newsroom, and the words around it."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape

from newsroom.labelled.words import WORDS, Words
from newsroom.newspapers import newspapers
from newsroom.story import Story


@dataclass(frozen=True, slots=True)
class Material:
    """A story, other stories of its language, and the words around them."""

    story: Story
    others: tuple[Story, ...]
    words: Words
    menu: tuple[str, ...]
    number: int

    @property
    def texts(self) -> tuple[str, ...]:
        return self.story.paragraphs

    @property
    def second(self) -> tuple[str, ...]:
        """The paragraphs of another story."""
        return self.others[0].paragraphs

    @property
    def url(self) -> str:
        return f"https://news-{self.number}.example/2026/{self.number}/a-story"

    @property
    def date(self) -> str:
        return f"2026-{1 + self.number % 9:02}-{1 + self.number % 28:02}"


@dataclass(frozen=True, slots=True)
class Drawn:
    """The body of a page, and the lines of its text. `head` is added to the page's head."""

    body: str
    text: Sequence[str]
    head: str = ""


@cache
def stories_of(language: str) -> tuple[Story, ...]:
    return tuple(each for each in newspapers().stories if each.language == language)


def materials() -> Iterator[Material]:
    """Materials without end; the language changes with each."""
    languages = list(WORDS)
    for number in itertools.count():
        turn = number // len(languages)
        # The shift of each turn brings all languages to all layouts.
        language = languages[(number + turn) % len(languages)]
        all_ = stories_of(language)
        at = (turn + number) % len(all_)
        others = tuple(all_[(at + shift) % len(all_)] for shift in range(1, len(all_)))
        yield Material(
            all_[at], others, WORDS[language], tuple(WORDS[language].menu.split()), number
        )


def p(texts: Sequence[str], markup: str = "<p>{}</p>") -> str:
    """The texts as paragraphs, or in other markup."""
    return "\n".join(markup.format(escape(text, quote=False)) for text in texts)


def links(texts: Sequence[str], markup: str = "<li><a href='/x/{1}'>{0}</a></li>") -> str:
    """The texts as links in the markup."""
    return "\n".join(markup.format(escape(text), at) for at, text in enumerate(texts))


def headlines(m: Material) -> tuple[str, ...]:
    return tuple(other.title for other in m.others)


def h1(m: Material) -> str:
    return f"<h1>{escape(m.story.title)}</h1>"


def nav(m: Material) -> str:
    return f"<nav><ul>{links(m.menu)}</ul></nav>"


def footer(m: Material) -> str:
    return f"<footer><ul>{links(m.menu)}</ul><p>{m.words.copyright}</p></footer>"


def comments(m: Material, markup: str = "<div class='comment'><b>Kim</b><p>{}</p></div>") -> str:
    return p(m.words.comments, markup)


def figure(m: Material) -> str:
    return f"<figure><img src='/a.jpg' alt=''><figcaption>{m.words.caption}</figcaption></figure>"


def halves(texts: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    return texts[: len(texts) // 2], texts[len(texts) // 2 :]
