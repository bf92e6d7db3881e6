"""Kinds of damaged documents: each costs only the damaged items."""

import gzip

from indexer.feeds.reading.entry import DocumentReading
from tests.each_row import each_row
from tests.feeds.documents import (
    NEWS,
    SITEMAP,
    atom,
    entry,
    item,
    json_feed,
    json_item,
    numbered,
    outcome,
    page,
    reading,
    rss,
    sitemap,
)

XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
WHOLE = rss(item(1), item(2))
CUT = rss(item(1), item(2), item(3)).partition("https://s.example/3")[0]
EMPTY = "Exception('empty')"
HTML = "Exception('html?')"
NO_VERSION = "Exception('no version')"
INDEX = "Exception('index')"
NO_NEWS = "Exception('urlset without google news tags')"
UNDECODABLE = "UnicodeEncodeError('utf-8', '', 0, 1, 'no text in any encoding')"

NOTHING_LOST: dict[str, bytes | str] = {
    "sound": XML + WHOLE,
    "no declaration": WHOLE,
    "no version": rss(item(1), item(2), version=""),
    "unknown version": rss(item(1), item(2), version=' version="9.99beta"'),
    "version in single quotes": rss(item(1), item(2), version=" version='2.0'"),
    "version without quotes": rss(item(1), item(2), version=" version=2.0"),
    "leading blank line": "\n\n" + XML + WHOLE,
    "leading byte order mark": "\ufeff" + XML + WHOLE,
    "two byte order marks": "\ufeff\ufeff" + XML + WHOLE,
    "byte order mark behind blanks": " \n\ufeff" + XML + WHOLE,
    "leading NULs": "\0\0" + XML + WHOLE,
    "a warning before": "Warning: mysql_connect() in /a.php on line 3\n" + XML + WHOLE,
    "a warning in HTML before": "<br />\n<b>Notice</b>: Undefined <i>x</i><br />\n" + XML + WHOLE,
    "a warning behind the declaration": XML + "<br />\n<b>Warning</b>: x<br />\n" + WHOLE,
    "a trace before": 'File "<stdin>", line 1, in <module>\n' + XML + WHOLE,
    "a script before": "<script>var a = '<b>';</script>" + XML + WHOLE,
    "a comment before": "<!-- cached <html> -->" + XML + WHOLE,
    "a stylesheet": XML + '<?xml-stylesheet href="a.xsl" type="text/xsl"?>' + WHOLE,
    "a doctype": '<!DOCTYPE rss SYSTEM "http://my.netscape.com/rss-0.91.dtd">' + WHOLE,
    "a doctype of a page": "<!DOCTYPE html>\n" + WHOLE,
    "a doctype with entities": '<!DOCTYPE rss [<!ENTITY a "b">]>' + WHOLE,
    "two declarations": XML + XML + WHOLE,
    "a declaration of another version": '<?xml version="1.9"?>' + WHOLE,
    "a declaration without end": '<?xml version="1.0" ' + ">" + WHOLE,
    "text after the end": WHOLE + "\n<!-- 0.3 s --> bye",
    "a page after the end": WHOLE + "<html><body><p>ad</p></body></html>",
    "no end of the root": rss(item(1), item(2)).replace("</rss>", ""),
    "no end of the channel": rss(item(1), item(2)).replace("</channel>", ""),
    "no end of either": rss(item(1), item(2)).partition("</channel>")[0],
    "a channel that ends early": rss("</channel>", item(1), item(2)),
    "no channel": f"<rss>{item(1)}{item(2)}</rss>",
    "upper case": "<RSS><CHANNEL>" + (item(1) + item(2)).replace("item>", "ITEM>") + "</RSS>",
    "mixed case": WHOLE.replace("title>", "Title>").replace("link>", "LINK>"),
    "blanks in tags": WHOLE.replace("</link>", "</link >").replace("<title>", "<title\n>"),
    "a prefix for all": WHOLE.replace("</", "<//x:").replace("<", "<x:").replace("<x://x:", "</x:"),
    "a default namespace": rss(item(1), item(2), version=' xmlns="http://backend.example/rss2"'),
    "an unknown namespace": rss(item(1, "<q:r>s</q:r>"), item(2)),
    "a stray <": rss(item(1, "<description>a < b</description>"), item(2)),
    "a stray < in a list": rss("1 < 2", item(1), "<", item(2)),
    "a stray >": rss(item(1, "<description>a > b</description>"), item(2)),
    "stray ampersands": rss(item(1, "<description>a & b &c; &#; &#x;</description>"), item(2)),
    "]]> in a text": rss(item(1, "<description>]]></description>"), item(2)),
    "tags in a description": rss(item(1, "<description><p>a</p><br></description>"), item(2)),
    "a link in a description": rss(
        item(1, "<description><link>x</link><title>y</title></description>"), item(2)
    ),
    "an item in a description": rss(
        item(1, "<description><![CDATA[<item><link>x</link></item>]]></description>"), item(2)
    ),
    "a description without end": rss(item(1, "<description>never"), item(2)),
    "two descriptions without end": rss(item(1, "<description>a<description>b"), item(2)),
    "attributes without quotes": rss(item(1, "<x y=z/>"), item(2)),
    "an attribute without end": rss(item(1, '<x y="z></x>'), item(2)),
    "an attribute twice": rss(item(1, '<x y="1" y="2"/>'), item(2)),
    "a control character": rss("\x0b", item(1, "<description>\x1f</description>"), item(2)),
    "NULs everywhere": WHOLE.replace(">", ">\0"),
    "NULs in tags": WHOLE.replace("<link>", "<li\0nk>"),
    "no character U+FFFE": rss("\ufffe", item(1), item(2)),
    "an unknown entity": rss(item(1, "<author>&nosuch;</author>"), item(2)),
    "an entity of HTML": rss(item(1, "<author>a&nbsp;b</author>"), item(2)),
    "a reference to a surrogate": rss(item(1, "<author>&#xD800;</author>"), item(2)),
    "a reference to NUL": rss(item(1, "<author>&#0;</author>"), item(2)),
    "a reference to nothing": rss(item(1, "<author>&#x110000;&#99999999999;</author>"), item(2)),
    "bytes of a surrogate": WHOLE.encode().replace(b"<channel>", b"<channel>\xed\xa0\x80"),
    "bytes of no character": WHOLE.encode().replace(b"<channel>", b"<channel>\xff\xfe\xc3"),
    "a declared charset nobody knows": '<?xml version="1.0" encoding="x-nosuch"?>' + WHOLE,
    "a declared charset that is blank": '<?xml version="1.0" encoding=""?>' + WHOLE,
    "declared utf-16, and isn't": '<?xml version="1.0" encoding="utf-16"?>' + WHOLE,
    "utf-16 with a mark": ('<?xml version="1.0" encoding="UTF-16"?>' + WHOLE).encode("utf-16"),
    "utf-16, little, no mark": ('<?xml version="1.0"?>' + WHOLE).encode("utf-16-le"),
    "utf-16, big, no mark": ('<?xml version="1.0"?>' + WHOLE).encode("utf-16-be"),
    "utf-16 that declares utf-8": ("\ufeff" + XML + WHOLE).encode("utf-16-le"),
    "gzip": gzip.compress(WHOLE.encode()),
    "gzip in two members": gzip.compress(WHOLE[:100].encode())
    + gzip.compress(WHOLE[100:].encode()),
    "gzip with padding": gzip.compress(WHOLE.encode()) + b"\0" * 20,
    "items behind the channel": f"<rss><channel></channel>{item(1)}{item(2)}</rss>",
    "an image first": rss("<image><title>I</title><link>x</link></image>", item(1), item(2)),
    "an unknown element about": rss(f"<items>{item(1)}{item(2)}</items>"),
    "elements of items twice": rss(item(1, "<title>other</title>"), item(2)),
    "dates that are none": rss(item(1, "<pubDate>soon</pubDate>"), item(2, "<pubDate/>")),
    "deep nesting": rss(item(1, "<a>" * 2000), item(2)),
    "many attributes": rss(item(1, "<a " + 'b="c" ' * 2000 + "/>"), item(2)),
    "long names": rss(item(1, f"<{'n' * 9999}/>"), item(2)),
    "carriage returns": WHOLE.replace("<", "\r<"),
    "an unclosed comment behind": WHOLE + "<!-- ",
    "an unclosed section behind": WHOLE + "<![CDATA[ ",
    "an empty comment": rss("<!---->", item(1), "<!-->-->", item(2)),
    "sections within sections": rss(
        item(1, "<description><![CDATA[a <![CDATA[b]]> c]]></description>"), item(2)
    ),
    "sections for all": rss(
        "<item><title><![CDATA[T1]]></title><link><![CDATA[https://s.example/1]]></link></item>",
        item(2),
    ),
    "Atom": atom(entry(1), entry(2)),
    "Atom without namespace": atom(entry(1), entry(2), attributes=""),
    "Atom of an unknown namespace": atom(entry(1), entry(2), attributes=' xmlns="urn:x"'),
    "Atom 0.3": atom(entry(1), entry(2), attributes=' version="0.3"'),
    "Atom with prefixes": "<a:feed xmlns:a='http://www.w3.org/2005/Atom'>"
    + (entry(1) + entry(2)).replace("</", "</a:").replace("<", "<a:").replace("<a:/a:", "</a:")
    + "</a:feed>",
    "Atom with a source": atom(
        entry(1, "<source><title>S</title><link href='x'/></source>"), entry(2)
    ),
    "Atom with content": atom(
        entry(1, "<content type='xhtml'><div><title>x</title><link href='x'/></div></content>"),
        entry(2),
    ),
    "Atom without end": atom(entry(1), entry(2)).removesuffix("</feed>"),
    "RDF": '<rdf:RDF xmlns:rdf="x" xmlns="http://purl.org/rss/1.0/"><channel><title>F</title>'
    f"</channel>{item(1)}{item(2)}</rdf:RDF>",
    "RDF without namespaces": f"<RDF>{item(1)}{item(2)}</RDF>",
    "JSON Feed": json_feed(f"{json_item(1)}, {json_item(2)}"),
    "JSON behind a mark": "\ufeff" + json_feed(f"{json_item(1)}, {json_item(2)}"),
    "JSON behind blanks": "\n\n " + json_feed(f"{json_item(1)}, {json_item(2)}"),
    "JSON in utf-16": json_feed(f"{json_item(1)}, {json_item(2)}").encode("utf-16"),
    "JSON with a control character": json_feed(f"{json_item(1)}, {json_item(2)}").replace(
        '"F"', '"F\x01\n"'
    ),
    "JSON with a comma too many": json_feed(f"{json_item(1)}, {json_item(2)},"),
    "JSON with text behind": json_feed(f"{json_item(1)}, {json_item(2)}") + "\n<!-- 0.1 s -->",
    "JSON with NaN": json_feed(
        f"{json_item(1, ', x: NaN'.replace('x', chr(34) + 'x' + chr(34)))}"
    ).replace("]}", "," + json_item(2) + "]}"),
}


@each_row("kind", NOTHING_LOST)
def test_it_costs_nothing(kind: str) -> None:
    assert outcome(NOTHING_LOST[kind]) == numbered(1, 2)


ONE_ITEM_LOST: dict[str, bytes | str] = {
    "cut in a link": CUT,
    "cut in a tag": rss(item(1), item(2), item(3)).partition("</item></channel>")[0] + "</it",
    "cut in a title": rss(item(1), item(2)).partition("</channel>")[0] + "<item><title>abc",
    "cut in a section": rss(item(1), item(2)).partition("</channel>")[0]
    + "<item><link>https://s.example/3</link><title><![CDATA[abc",
    "cut in a comment": rss(item(1), item(2)).partition("</channel>")[0] + "<item><!-- ",
    "cut in a character": CUT.encode() + "é".encode()[:1],
    "cut behind an item": rss(item(1), item(2)).partition("</channel>")[0],
    "cut in utf-16": CUT.encode("utf-16")[:-1],
    "Atom that is cut": atom(entry(1), entry(2), entry(3)).partition("https://s.example/3")[0],
    "JSON that is cut": json_feed(f"{json_item(1)}, {json_item(2)}, {json_item(3)}")[:-20],
    "JSON with a bad item": json_feed(f"{json_item(1)}, {json_item(2)}, {{bad}}"),
}


@each_row("kind", ONE_ITEM_LOST)
def test_what_is_cut_off_keeps_the_items_that_are_whole(kind: str) -> None:
    assert outcome(ONE_ITEM_LOST[kind]) == numbered(1, 2)


def links(found: DocumentReading) -> list[str]:
    """The links of a document."""
    return [entry.link for entry in found.entries]


PAGES: dict[str, str] = {
    "sound": sitemap(page(1), page(2)),
    "leading blank lines": "\n \n" + XML + sitemap(page(1), page(2)),
    "stray elements": sitemap("<x>y</x>", page(1), "<script>1</script>", page(2), "<p/>"),
    "cut": sitemap(page(1), page(2), page(3)).partition("https://s.example/3")[0],
    "no end": sitemap(page(1), page(2)).removesuffix("</urlset>"),
    "a page without news": sitemap(page(1), page(2, "")),
    "only a title": sitemap(page(1, "<news:title>x</news:title>"), page(2, "")),
    "only keywords": sitemap(page(1, "<news:keywords>x</news:keywords>"), page(2, "")),
    "another prefix": sitemap(
        page(1, "<n:news><n:title>x</n:title></n:news>"),
        page(2, ""),
        attributes=f" {SITEMAP} {NEWS.replace(':news', ':n')}",
    ),
    "no declared prefix": sitemap(page(1), page(2), attributes=f" {SITEMAP}"),
    "an old namespace": sitemap(
        page(1),
        page(2),
        attributes=f' xmlns="http://www.google.com/schemas/sitemap/0.84" {NEWS}',
    ),
    "no namespace but news": sitemap(page(1), page(2), attributes=f" {NEWS}"),
    "a prefix for all": sitemap(page(1), page(2))
    .replace("xmlns=", "xmlns:s=")
    .replace("<urlset", "<s:urlset")
    .replace("loc>", "s:loc>")
    .replace("</s:", "</s:")
    .replace("url>", "s:url>"),
    "images": sitemap(page(1, "<image:image><image:loc>x</image:loc></image:image>"), page(2)),
    "the same page again": sitemap(page(1), page(1), page(2)),
    "a date that is none": sitemap(
        page(1, "<news:news><news:publication_date>x</news:publication_date></news:news>"),
        page(2),
    ),
}


@each_row("kind", PAGES)
def test_a_news_sitemap_keeps_its_whole_pages(kind: str) -> None:
    found = list(dict.fromkeys(links(reading(PAGES[kind]))))
    assert found == ["https://s.example/1", "https://s.example/2"]


NO_FEEDS: dict[str, tuple[bytes | str, str]] = {
    "nothing": (b"", EMPTY),
    "blanks": (" \r\n\t ", EMPTY),
    "a byte order mark": (b"\xef\xbb\xbf", EMPTY),
    "a byte order mark and blanks": (b"\xef\xbb\xbf \n", EMPTY),
    "NULs": (b"\0" * 100, EMPTY),
    "blanks in utf-16": (" \n ".encode("utf-16"), EMPTY),
    "gzip of nothing": (gzip.compress(b""), EMPTY),
    "a page": ("<!DOCTYPE html><html><head><title>x</title></head><body/></html>", HTML),
    "a page without doctype": ("<html><body>x</body></html>", HTML),
    "a page behind blanks": ("\n\n  <HTML><BODY>x</BODY></HTML>", HTML),
    "a page in XHTML": (XML + "<!DOCTYPE html PUBLIC 'x'><html xmlns='y'><head/></html>", HTML),
    "a page with feeds in it": ("<html><body><rss><channel/></rss><feed/></body></html>", HTML),
    "a page that is cut": ("<!doctype html><html><he", HTML),
    "a page in pieces": ("<div><h1>Not found</h1><p>Sorry</p></div>", HTML),
    "a page that is a script": ("<script>location='/'</script>", HTML),
    "a challenge": ("<!DOCTYPE html>\n<title>Just a moment...</title>", HTML),
    "a page behind an unknown element": ("<x-bar/><html><body/></html>", HTML),
    "frames": ("<frameset><frame src=a></frameset>", HTML),
    "a page in gzip": (gzip.compress(b"<html></html>"), HTML),
    "text": ("Service temporarily unavailable", NO_VERSION),
    "text with an angle": ("1 < 2 and <3", NO_VERSION),
    "one character": ("x", NO_VERSION),
    "storage access denied": (XML + "<Error><Code>AccessDenied</Code></Error>", NO_VERSION),
    "a list of feeds": (XML + "<opml version='1.0'><body/></opml>", NO_VERSION),
    "channels of 1997": ('<CHANNEL HREF="a"><ITEM HREF="b"/></CHANNEL>', NO_VERSION),
    "a channel alone": (f"<channel>{item(1)}</channel>", NO_VERSION),
    "an item alone": (item(1), NO_VERSION),
    "a feed in something else": (XML + f"<feeds>{atom(entry(1))}</feeds>", NO_VERSION),
    "an empty feed in something else": ("<feeds><feed/></feeds>", NO_VERSION),
    "a SOAP fault": (XML + "<soap:Envelope><soap:Body/></soap:Envelope>", NO_VERSION),
    "SVG": (XML + "<svg xmlns='http://www.w3.org/2000/svg'/>", NO_VERSION),
    "RDF of something else": ("<rdf:RDF xmlns:rdf='x'><Person/></rdf:RDF>", NO_VERSION),
    "only a declaration": (XML, NO_VERSION),
    "only a doctype": ("<!DOCTYPE rss>", NO_VERSION),
    "cut in the root": ("<?xml version='1.0'?><rss ver", NO_VERSION),
    "a comment without end": ("<!-- <rss><channel>", NO_VERSION),
    "a root in a comment": ("<!-- <rss/> -->", NO_VERSION),
    "an end without a beginning": ("</rss>", NO_VERSION),
    "a sitemap of no namespace": (sitemap(page(1, ""), attributes=""), NO_VERSION),
    "a plain sitemap": (sitemap(page(1, ""), attributes=f" {SITEMAP}"), NO_NEWS),
    "a plain sitemap with a prefix": (sitemap(page(1, "")), NO_NEWS),
    "an empty plain sitemap": (sitemap(attributes=f" {SITEMAP}"), NO_NEWS),
    "an index": (f"<sitemapindex {SITEMAP}><sitemap/></sitemapindex>", INDEX),
    "an empty index": (f"<sitemapindex {SITEMAP}/>", INDEX),
    "JSON": ('{"items": [{"url": "https://s.example/1"}]}', NO_VERSION),
    "JSON of another version": (json_feed("", "https://other.example/version/1"), NO_VERSION),
    "a list in JSON": ('[{"url": "https://s.example/1"}]', NO_VERSION),
    "broken JSON": ('{"error": "no', NO_VERSION),
    "an error in JSON": ('{"message": "Too many requests"}', NO_VERSION),
    "deep JSON": ('{"items": ' + "[" * 100_000, NO_VERSION),
    "deep objects": ('{"a":' * 50_000, NO_VERSION),
    "a picture": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20, UNDECODABLE),
    "random bytes": (bytes((number * 73 + 11) % 251 for number in range(5000)), UNDECODABLE),
}


@each_row("kind", NO_FEEDS)
def test_what_is_no_feed_says_why(kind: str) -> None:
    body, detail = NO_FEEDS[kind]
    assert outcome(body) == detail


@each_row(
    "body",
    [
        gzip.compress(WHOLE.encode())[:-20],
        gzip.compress(WHOLE.encode())[:5],
        b"\x1f\x8bno gzip",
    ],
)
def test_gzip_that_is_broken_says_so(body: bytes) -> None:
    assert str(outcome(body)).startswith("Exception('gzip: body: the gzip file is ")


EMPTY_FEEDS = {
    "rss": "<rss/>",
    "rss 2.0": rss(),
    "atom 1.0": atom(),
    "rdf 1.0": '<rdf:RDF xmlns:rdf="x" xmlns="http://purl.org/rss/1.0/"/>',
    "json feed 1.1": json_feed(""),
    "news sitemap": sitemap(),
}


@each_row("format", EMPTY_FEEDS)
def test_a_feed_without_items_is_a_feed(format: str) -> None:
    found = reading(EMPTY_FEEDS[format])
    assert (found.format, found.entries, found.warnings) == (format, [], [])


def test_the_kinds_are_many() -> None:
    assert len(NOTHING_LOST) + len(ONE_ITEM_LOST) + len(PAGES) + len(NO_FEEDS) >= 170
