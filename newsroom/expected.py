"""The expected result for every link in the newsroom's feeds, field by field.

    queued = documents + duplicates + discarded          (skipped links are never queued)

Several links may lead to one document. The order of fetching decides which one is indexed and which
ones are duplicates, so a document lists all of them. Compare URLs in their normalised form, or by
document id: the first link may have the parameters of a campaign.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from newsroom.host import Host, Other
from newsroom.newspapers import newspapers
from newsroom.story import Story

DUPLICATE = "duplicate"


@dataclass(frozen=True, slots=True)
class Document:
    """A document that must be in the index.

    `publication_date` is YYYY-MM-DD or None. If `date_on_page` is false, at most the feed has it.
    `canonical_url` is the one that the page declares; if it is None, any value is right.
    `contains` has the paragraphs of the text, in order, each on one line; `lacks` has the page's
    boilerplate, which must not be in the text.
    """

    url: str
    links: tuple[str, ...]
    title: str
    publication_date: str | None
    date_on_page: bool
    language: str
    # The whole host, because `.example` is not a public suffix.
    canonical_domain: str
    canonical_url: str | None
    encoding: str
    contains: tuple[str, ...]
    lacks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Expected:
    """The expected result of a run. `discarded` and `skipped` are pairs of link and status."""

    documents: tuple[Document, ...]
    discarded: tuple[tuple[str, str], ...]
    skipped: tuple[tuple[str, str], ...]

    @property
    def duplicates(self) -> int:
        """The number of queued links that lead to a document which another link leads to."""
        return sum(len(document.links) - 1 for document in self.documents)

    @property
    def queued(self) -> int:
        """The number of links that must be queued."""
        return len(self.documents) + self.duplicates + len(self.discarded)

    @property
    def discarded_by_status(self) -> Mapping[str, int]:
        """The expected `discarded` of the run's summary."""
        return Counter(status for _, status in self.discarded)

    @property
    def skipped_by_status(self) -> Mapping[str, int]:
        """The expected `skipped` of the run's summary."""
        return Counter(status for _, status in self.skipped)


def expected() -> Expected:
    """The expected result for the links of the sample newsroom."""
    papers = newspapers()
    hosts = {host.host: host for host in papers.hosts}
    others = [other for host in papers.hosts for other in host.others]
    return Expected(
        tuple(_document(hosts[story.host], story, others) for story in papers.stories),
        tuple((o.link, o.expect) for o in others if not o.skipped and o.expect != DUPLICATE),
        tuple((o.link, o.expect) for o in others if o.skipped),
    )


def _document(host: Host, story: Story, others: list[Other]) -> Document:
    also = [other.link for other in others if other.of == story.url]
    return Document(
        url=story.url,
        links=(story.link, *also),
        title=story.title,
        publication_date=story.publication_date,
        date_on_page=story.date_on_page,
        language=story.language,
        canonical_domain=host.host,
        canonical_url=story.url if story.canonical else None,
        encoding=story.encoding,
        contains=story.paragraphs,
        lacks=host.boilerplate,
    )
