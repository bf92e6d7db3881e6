"""Archives as earlier versions wrote them: with warcio itself, and with less in them.

`python -m tests.stories.old_archives` writes tests/data/warc/early.warc and early.warc.gz anew.
"""

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from tests import paths

DATA = paths.DATA / "warc"
WRITTEN = "2024-02-03T04:05:06Z"


@dataclass
class OldStory:
    """A story of an old archive. `metadata` None: its record was never written."""

    url: str = "https://old.example/1"
    html: bytes = b"<p>page</p>"
    metadata: Any = field(default_factory=dict)
    content_type: str = "text/html"
    status: str = "200 OK"
    written: str = WRITTEN


def old_archive(stories: Sequence[OldStory], *, gzip: bool = True) -> bytes:
    """The file of an earlier version: a warcinfo, and two records a story."""
    file = io.BytesIO()
    writer = _Numbered(file, gzip=gzip, warc_version="WARC/1.0")
    writer.begin()
    for story in stories:
        head = StatusAndHeaders(
            story.status, [("Content-Type", story.content_type)], protocol="HTTP/1.0"
        )
        page = writer.put(story.url, "response", story.written, story.html, http_headers=head)
        if story.metadata is not None:
            body = json.dumps(story.metadata, indent=2).encode()
            writer.put(
                story.url,
                "metadata",
                story.written,
                body,
                warc_content_type="application/x.mediacloud-indexer+json",
                more={"WARC-Refers-To": page},
            )
    return file.getvalue()


class _Numbered(WARCWriter):  # type: ignore[misc]  # warcio has no types
    """Record ids are 1, 2, 3…"""

    number = 0

    def begin(self) -> None:
        """Write the first record."""
        fields = {
            "hostname": "0a1b2c3d4e5f",
            "software": "mediacloud story-indexer ArchiveWriter",
            "format": "WARC file version 1.0",
        }
        record = self.create_warcinfo_record("mc-20240203040506-1-0a1b2c3d4e5f.warc.gz", fields)
        record.rec_headers.replace_header("WARC-Record-ID", self._id())
        record.rec_headers.replace_header("WARC-Date", WRITTEN)
        self.write_record(record)

    def _id(self) -> str:
        self.number += 1
        return f"<urn:uuid:00000000-0000-4000-8000-{self.number:012d}>"

    def put(
        self,
        uri: str,
        kind: str,
        date: str,
        body: bytes,
        more: dict[str, str] | None = None,
        **given: Any,
    ) -> str:
        """Write one record; its id."""
        id = self._id()
        headers = {"WARC-Record-ID": id, "WARC-Date": date, **(more or {})}
        record = self.create_warc_record(
            uri,
            kind,
            payload=io.BytesIO(body),
            length=len(body),
            warc_headers_dict=headers,
            **given,
        )
        self.write_record(record)
        return id


def early(number: int, **content: Any) -> OldStory:
    """A story of early 2024, before there was `canonical_url`, `via` or anything in full."""
    url = f"https://old.example/{number}"
    metadata = {
        "rss_entry": {"link": url, "title": None, "domain": None, "pub_date": None},
        "http_metadata": {
            "response_code": 200,
            "fetch_timestamp": 1706933106.5,
            "final_url": url,
            "encoding": None,
        },
        "content_metadata": {
            "original_url": url,
            "url": url,
            "article_title": f"Café {number}",
            "text_content": f"text {number}",
            "language": "es",
            "is_homepage": False,
            "is_shortened": False,
            **content,
        },
    }
    return OldStory(url, f"<p>{number}</p>".encode(), metadata)


EARLY = [
    early(1, parsed_date="2024-02-03"),
    early(2, parsed_date="2024-02-03 04:05:06.123456"),
    early(3, parsed_date="2024-02-03T04:05:06.123456"),
    early(4),
    early(5, parsed_date="yesterday"),
    OldStory("https://old.example/lost", b"<p>no metadata</p>", None),
    early(6, parsed_date="2024-02-03", unique_url_hash="abc", language=["es"], is_homepage="no?"),
]


if __name__ == "__main__":
    (DATA / "early.warc").write_bytes(old_archive(EARLY, gzip=False))
    (DATA / "early.warc.gz").write_bytes(old_archive(EARLY))
