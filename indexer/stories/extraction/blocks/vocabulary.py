"""The words by which names of classes and ids say what an element is."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

MEMORY = 20_000
"""Pairs of class and id that are remembered; sites use the same ones on all their pages."""

LONGEST_NAME = 300
"""The characters of a class or an id that are read, and remembered."""

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")

NOISE = frozenset(
    (
        # The site
        "nav", "navbar", "navigation", "navlinks", "menu", "submenu", "breadcrumb", "breadcrumbs",
        "masthead", "sidebar", "footer", "foot", "copyright", "pager",
        "pagination", "pagenav", "toolbar", "skip", "login", "search", "sitemap",
        # Talk
        "comment", "comments", "commentlist", "disqus", "respond", "replies", "signature",
        "postprofile", "discussion",
        # Offers
        "newsletter", "subscribe", "subscription", "paywall", "piano", "cta", "upgrade", "upsell",
        "donate", "donation", "membership", "ad", "ads", "advert", "advertisement", "adsbygoogle",
        "sponsor", "sponsored", "promo", "promotion", "promoted", "banner", "outbrain", "taboola",
        # Consent
        "cookie", "cookies", "consent", "gdpr", "onetrust", "cookiebot", "modal", "popup",
        "overlay",
        # Other stories
        "related", "relatedposts", "recommended", "recommendation", "recommendations", "trending",
        "popular", "playlist", "teasers",
        # Around the story
        "share", "sharing", "sharedaddy", "social", "byline", "bio", "caption", "credit", "credits",
        "pullquote", "pullquotes", "printonly", "noprint",
    )
)  # fmt: skip
"""Words of an element that is not part of a story."""

NOISE_PAIRS = frozenset(
    (
        "more stories", "more news", "read more", "read also", "also read", "most read",
        "most viewed", "latest posts", "latest news", "about author", "author info", "author box",
        "post footer", "post tags", "tag list", "tags links", "article tags", "article info",
        "entry meta", "post meta", "article meta", "see also", "you may", "up next", "next up",
        "sign up", "in brief list", "article footer", "post nav", "gh feed", "footer section",
        "action bar", "widget area", "widget title", "blog archive",
    )
)  # fmt: skip
"""Two words, one after the other, of an element that is not part of a story."""

STORY_PAIRS = frozenset(
    (
        "article body", "article content", "article text", "entry content", "post content",
        "post body", "post text", "story body", "story content", "story text", "body content",
        "news text", "news body", "news content", "content body", "body text", "text body",
        "gh content", "body markup", "field body", "available content", "article main",
        "single content", "td content", "main text", "artikel text", "artikel body",
    )
)  # fmt: skip
"""Two words, one after the other, of the element that holds the text of a story."""

STORY_WORDS = frozenset(
    ("articlebody", "storybody", "newsbody", "articletext", "storytext", "postbody", "bodytext",
     "entrycontent", "postcontent", "hentry", "meteredcontent")
)  # fmt: skip

STANDFIRST = frozenset(
    ("standfirst", "excerpt", "lead", "lede", "dek", "deck", "summary", "subtitle", "intro",
     "introduction", "teaser", "abstract", "kicker", "subhead", "vorspann", "anrisstext", "chapo",
     "entradilla", "bajada", "sommario")
)  # fmt: skip
"""Words of the paragraph between the title and the text."""

_DENIALS = frozenset(("no", "without", "with", "has"))
"""Words before the name of another part, in the name of an element that has it, or has not."""

CONTENT_WORDS = frozenset(("article", "story", "content", "post", "entry", "main", "text"))
"""Words of an element that holds a story, or much else."""


def is_noise(class_: str, id: str) -> bool:
    """Whether the class and the id of an element say that it is not part of a story."""
    for name in (class_, id):
        words = _words(name)
        if not _DENIALS.isdisjoint(words):
            words = [two for one, two in _successive(["", *words]) if one not in _DENIALS]
        if not NOISE.isdisjoint(words) or not NOISE_PAIRS.isdisjoint(_pairs(words)):
            return True
    return False


@lru_cache(MEMORY)
def is_standfirst(class_: str) -> bool:
    """Whether a class says that an element is between the title and the text, and part of both."""
    return not STANDFIRST.isdisjoint(_words(class_))


def hint(class_: str, id: str) -> int:
    """How much the class and the id say that an element holds the text: 0, 1 or 3."""
    for name in (class_, id):
        words = _words(name)
        if not STORY_PAIRS.isdisjoint(_pairs(words)) or not STORY_WORDS.isdisjoint(words):
            return 3
    return int(any(not CONTENT_WORDS.isdisjoint(_words(name)) for name in (class_, id)))


def _words(name: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(name)]


def _pairs(words: list[str]) -> list[str]:
    return [f"{one} {two}" for one, two in _successive(words)]


def _successive(words: list[str]) -> Iterator[tuple[str, str]]:
    return pairwise(words)


NOISE_LINE = re.compile(
    r"""(?:
        advertisement | anzeige | werbung | publicidad | publicité | реклама | إعلان | 广告 | 広告
        | share | teilen | compartir | partager | поделиться
        | (?:read|see)\s(?:also|more)\b.{0,80} | lesen\ssie\sauch\b.{0,80} | lea\stambién\b.{0,80}
        | lire\saussi\b.{0,80} | читайте\sтакже\b.{0,80} | leia\stambém\b.{0,80}
        | https?://\S+
        | (?:©|\(c\)|copyright\b).*
        | [\W\d_]+
    )[:.]?""",
    re.IGNORECASE | re.VERBOSE,
)
"""A whole line that is not part of a story, wherever it stands, except in a table."""
