"""What must become of every link in the newsroom's feeds, field by field.

    queued = documents + duplicates + discarded          (skipped links are never queued)

Several links may lead to one document; which of them is indexed and which are duplicates is a
matter of order, so a document lists them all. Compare URLs by their normalised form (or by
document id): the link that comes first may have carried the parameters of a campaign.
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

    `publication_date` is YYYY-MM-DD or None; if `date_on_page` is false the page does not tell
    it and only the feed does, or nobody. `canonical_url` is what the page names, None if it names
    none: an extractor may then fill in what it likes. `canonical_domain` is the whole host, for
    `.example` is no public suffix. `contains` are the paragraphs of the text, in order,
    each on one line; none of `lacks`, the page's boilerplate, may be in the text.
    """

    url: str
    links: tuple[str, ...]
    title: str
    publication_date: str | None
    date_on_page: bool
    language: str
    canonical_domain: str
    canonical_url: str | None
    encoding: str
    contains: tuple[str, ...]
    lacks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Expected:
    """What must come of a whole run. `discarded` and `skipped` are pairs of link and status."""

    documents: tuple[Document, ...]
    discarded: tuple[tuple[str, str], ...]
    skipped: tuple[tuple[str, str], ...]

    @property
    def duplicates(self) -> int:
        """How many of the queued links lead to a document that another link led to."""
        return sum(len(document.links) - 1 for document in self.documents)

    @property
    def queued(self) -> int:
        """How many links must be queued."""
        return len(self.documents) + self.duplicates + len(self.discarded)

    @property
    def discarded_by_status(self) -> Mapping[str, int]:
        """The summary's `discarded`."""
        return Counter(status for _, status in self.discarded)

    @property
    def skipped_by_status(self) -> Mapping[str, int]:
        """The summary's `skipped`."""
        return Counter(status for _, status in self.skipped)


def expected() -> Expected:
    """What must become of the links of the sample newsroom."""
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
