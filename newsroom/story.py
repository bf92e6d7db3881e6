"""A story's source: a text file of `key: value` lines, an empty line, then paragraphs.

Keys, all but the first eight optional:

    title, author, language, path
    date        YYYY-MM-DD, or `none`
    dated       places of the date: any of json-ld meta dc microdata time text url,
                or `feed` (only in the feed), or `none`
    encoding    the codec of the page
    declared    place of the encoding's declaration: header, meta, both, bom or nowhere
    label       the declared name, if it differs from the codec's; meta-label: only in the page
    shown       the date as readers see it
    lang        the language that the page declares, if it is wrong
    canonical   `yes`: the page declares its canonical URL
    redirects   pairs of status and URL that lead to the page; the feed lists the first URL
    listed-by   another host, whose feed lists the story
    at-first    the status of the first reply; later ones are the page
    feed-date   the date as the feed has it, or `none`
"""

from dataclasses import dataclass
from pathlib import Path

DECLARATIONS = frozenset({"header", "meta", "both", "bom", "nowhere"})


@dataclass(frozen=True, slots=True)
class Story:
    """One story, as its file describes it. `date` is YYYY-MM-DD or None; URLs are absolute."""

    host: str
    url: str
    title: str
    author: str
    language: str
    date: str | None
    dated: frozenset[str]
    encoding: str
    declared: str
    paragraphs: tuple[str, ...]
    label: str = ""
    meta_label: str = ""
    shown: str = ""
    lang: str = ""
    canonical: bool = False
    redirects: tuple[tuple[int, str], ...] = ()
    listed_by: str = ""
    at_first: int = 0
    feed_date: str | None = None

    @property
    def link(self) -> str:
        """The URL that the feed lists: that of the page, or the first of its redirects."""
        return self.redirects[0][1] if self.redirects else self.url

    @property
    def publication_date(self) -> str | None:
        """The date in the page or in the feed, YYYY-MM-DD, or None."""
        return self.date if self.dated - {"none"} else None

    @property
    def date_on_page(self) -> bool:
        """Whether the date is in the page or in its URL."""
        return bool(self.dated - {"none", "feed"})


def read_story(host: str, path: Path) -> Story:
    """The story of a file. Raises KeyError for a missing key, ValueError for a bad value."""
    head, _, body = path.read_text("utf-8").partition("\n\n")
    keys = dict(line.split(": ", 1) for line in head.splitlines())
    own = keys.pop("path")
    if (declared := keys.pop("declared")) not in DECLARATIONS:
        raise ValueError(f"{path}: declared: {declared}")
    encoding = keys.pop("encoding")
    label = keys.pop("label", "") or encoding
    return Story(
        host=host,
        url=absolute(host, own),
        title=keys.pop("title"),
        author=keys.pop("author"),
        language=keys.pop("language"),
        date=_date(keys.pop("date")),
        dated=frozenset(keys.pop("dated").split()),
        encoding=encoding,
        declared=declared,
        paragraphs=tuple(line for line in body.splitlines() if line),
        label=label,
        meta_label=keys.pop("meta-label", "") or label,
        redirects=_redirects(host, keys.pop("redirects", "")),
        canonical=keys.pop("canonical", "") == "yes",
        at_first=int(keys.pop("at-first", 0)),
        feed_date=keys.pop("feed-date", None),
        **{key.replace("-", "_"): value for key, value in keys.items()},
    )


def absolute(host: str, link: str) -> str:
    """The link with scheme and host."""
    return f"http://{host}{link}" if link.startswith("/") else link


def _date(value: str) -> str | None:
    return None if value == "none" else value


def _redirects(host: str, value: str) -> tuple[tuple[int, str], ...]:
    words = value.split()
    return tuple(
        (int(status), absolute(host, link))
        for status, link in zip(words[::2], words[1::2], strict=True)
    )
