"""A newspaper: its name, the template of its pages, its feed, and the other links it serves."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from newsroom.story import absolute


@dataclass(frozen=True, slots=True)
class Other:
    """A link that is not a story of this newspaper, and the server's answer.

    `expect` is the expected result: `duplicate` (of the document at URL `of`), or a status of
    docs/statuses.md. A `skipped` link must never be queued.
    """

    link: str
    title: str = ""
    expect: str = ""
    skipped: bool = False
    of: str = ""
    status: int = 200
    location: str = ""
    text: str = ""
    pdf: bool = False
    empty: bool = False
    size: int = 0

    @property
    def served(self) -> bool:
        """Whether this newspaper serves the link."""
        page = self.text or self.pdf or self.empty or self.size
        return bool(page) or self.status != 200


@dataclass(frozen=True, slots=True)
class Feed:
    """The feed of a newspaper. `kind` is one of newsroom.feeds.KINDS."""

    kind: str
    path: str
    encoding: str = "utf-8"


@dataclass(frozen=True, slots=True)
class Host:
    """One newspaper. `paragraph` and `related` are templates. No feed lists the `hidden` links.

    `delay` is the number of seconds before the reply to a page.
    """

    host: str
    template: str
    name: str
    language: str
    paragraph: str
    related: str
    boilerplate: tuple[str, ...]
    feed: Feed
    others: tuple[Other, ...] = ()
    hidden: tuple[Other, ...] = ()
    robots: str = ""
    delay: float = 0.0
    gzip: bool = False
    http_equiv: bool = False

    @property
    def input(self) -> str:
        """The URL of the feed."""
        return absolute(self.host, self.feed.path)


def read_host(directory: Path) -> Host:
    """The newspaper of a directory. Raises TypeError for an unknown key."""
    values = tomllib.loads((directory / "host.toml").read_text("utf-8"))
    host = directory.name
    return Host(
        host=host,
        template=(directory / "page.html").read_text("utf-8"),
        feed=Feed(**values.pop("feed")),
        others=tuple(_other(host, other) for other in values.pop("other", [])),
        hidden=tuple(_other(host, other) for other in values.pop("hidden", [])),
        boilerplate=tuple(values.pop("boilerplate")),
        http_equiv=values.pop("http-equiv", False),
        **values,
    )


def _other(host: str, values: dict[str, object]) -> Other:
    other = Other(**values)  # type: ignore[arg-type]  # TOML's own types; a test reads them all
    links = {"link": absolute(host, other.link), "location": absolute(host, other.location)}
    return Other(**{**values, **links})  # type: ignore[arg-type]
