"""A newspaper: its name, how its pages look, what its feed is, and what else it serves."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from newsroom.story import absolute


@dataclass(frozen=True, slots=True)
class Other:
    """A link that is no story of this newspaper, and what the server answers to it.

    `expect` is what must become of it: `duplicate` (of the document at URL `of`) or the status of
    docs/statuses.md. With `skipped` it must never be queued. A hidden one is in no feed.
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
        """Whether this newspaper answers to the link itself."""
        page = self.text or self.pdf or self.empty or self.size
        return bool(page) or self.status != 200


@dataclass(frozen=True, slots=True)
class Feed:
    """What the newspaper lists its stories in. `kind` is one of newsroom.feeds.KINDS."""

    kind: str
    path: str
    encoding: str = "utf-8"


@dataclass(frozen=True, slots=True)
class Host:
    """One newspaper. `delay` in seconds a page; `paragraph` and `related` are templates."""

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
        """The URL of its feed."""
        return absolute(self.host, self.feed.path)


def read_host(directory: Path) -> Host:
    """The newspaper of a directory. Raises TypeError for a key that nobody reads."""
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
