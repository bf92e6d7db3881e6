"""The encoding of feeds: all charsets and declarations, and no mojibake (feeds.md 7.1)."""

import codecs

from indexer.text.decoding.documents import declared_in_xml, document_text
from tests.each_row import each_row
from tests.text.decoding.test_ladder import (
    AR,
    CS,
    DE,
    EL,
    EN,
    ES,
    FR,
    HE,
    JA,
    KO,
    PL,
    RU,
    TH,
    TR,
    TW,
    ZH,
)

# Python's codec, how a document calls it, a text
ENCODED = [
    ("utf-8", "UTF-8", RU),
    ("utf-8", "utf-8", EN),
    ("cp1250", "windows-1250", CS),
    ("iso8859-2", "iso-8859-2", PL),
    ("cp1251", "windows-1251", RU),
    ("koi8-r", "koi8-r", RU),
    ("iso8859-5", "ISO-8859-5", RU),
    ("cp1252", "windows-1252", EN),
    ("cp1252", "iso-8859-1", ES),
    ("iso8859-1", "ISO-8859-1", ES),
    ("iso8859-15", "iso-8859-15", FR.replace("’", "'")),
    ("cp1253", "windows-1253", EL),
    ("cp1254", "iso-8859-9", TR),
    ("cp1255", "windows-1255", HE),
    ("cp1256", "windows-1256", AR),
    ("cp874", "tis-620", TH),
    ("cp932", "Shift_JIS", JA),
    ("euc-jp", "EUC-JP", JA),
    ("iso2022-jp", "ISO-2022-JP", JA),
    ("gb18030", "gb2312", ZH),
    ("gb18030", "GBK", ZH),
    ("big5", "big5", TW),
    ("cp949", "euc-kr", KO),
]


def feed(text: str, declaration: str = "") -> str:
    """Return a feed of one item, whose text is long enough for a detector."""
    item = f"<title>{text}</title><description>{text * 3}</description>"
    return f"{declaration}<rss><item>{item}</item></rss>"


def xml(label: str) -> str:
    """Return an XML declaration."""
    return f'<?xml version="1.0" encoding="{label}"?>\n'


CASES = each_row(("codec", "label", "text"), ENCODED)


@CASES
@each_row("http", [None, "utf-8", "iso-8859-1", "windows-1251", "x-nosuch"])
def test_the_declaration_comes_before_http(
    codec: str, label: str, text: str, http: str | None
) -> None:
    assert text in document_text(feed(text, xml(label)).encode(codec), http).text


@CASES
@each_row("declaration", ["", '<?xml version="1.0"?>', xml("x-nosuch"), xml("")])
def test_http_counts_where_nothing_is_declared(
    codec: str, label: str, text: str, declaration: str
) -> None:
    assert text in document_text(feed(text, declaration).encode(codec), label).text


GUESSED = {"iso8859-5", "iso8859-15", "cp874"}
"""What a detector takes for a near relation unless there is more of it."""


@each_row(("codec", "text"), [(codec, text) for codec, _, text in ENCODED if codec not in GUESSED])
def test_without_any_declaration_it_is_detected(codec: str, text: str) -> None:
    assert text in document_text(feed(text).encode(codec)).text


@each_row("label", sorted({label for _, label, _ in ENCODED}))
@each_row("http", [None, "utf-8", "iso-8859-1", "windows-1251", "gbk"])
@each_row("text", [EN, DE, RU, JA])
def test_utf_8_is_read_as_such_whatever_is_declared(
    label: str, http: str | None, text: str
) -> None:
    body = feed(text, xml(label)).encode()
    for data in (body, codecs.BOM_UTF8 + body):
        assert document_text(data, http).text == body.decode()


@each_row("label", [None, "utf-8", "utf-16", "iso-8859-1", "gbk"])
@each_row("http", [None, "utf-8", "utf-16le", "iso-8859-1"])
@each_row("codec", ["utf-16", "utf-16-le", "utf-16-be"])
@each_row("text", [EN, RU, JA])
def test_utf_16_is_read_as_such_whatever_is_declared(
    label: str | None, http: str | None, codec: str, text: str
) -> None:
    body = feed(text * 5 if text != JA else text, xml(label) if label else "")
    assert document_text(body.encode(codec), http).text == body


@each_row(
    ("body", "http", "text"),
    [
        # One character may be valid UTF-8 by chance: what is declared decides.
        (xml("windows-1252").encode() + b"<a>\xc3\x9f</a>", None, "ÃŸ"),
        (b"<a>\xc3\x9f</a>", "windows-1252", "ÃŸ"),
        (b"<a>\xc3\x9f</a>", None, "ß"),
        (xml("utf-8").encode() + b"<a>\xc3\x9f</a>", "windows-1252", "ß"),
        # Wrongly declared
        (xml("utf-8").encode() + feed(RU).encode("cp1251"), None, RU),
        (xml("utf-8").encode() + feed(RU).encode("cp1251"), "windows-1251", RU),
        (feed(RU).encode("cp1251"), "utf-8", RU),
        # A few bytes that are none
        (feed(RU).encode() + b"\xff", None, RU),
        (xml("utf-8").encode() + feed(RU).encode() + b"\xed\xa0\x80", None, RU),
        # A declaration behind a script's warning
        (b"Warning: x\n" + feed(RU, xml("koi8-r")).encode("koi8-r"), None, RU),
        # A page's declaration in a text is not the document's
        (feed(RU + "<meta charset=koi8-r>").encode("cp1251"), "windows-1251", RU),
    ],
)
def test_doubtful_cases(body: bytes, http: str | None, text: str) -> None:
    assert text in document_text(body, http).text


def test_byte_order_marks_and_nuls_are_removed() -> None:
    assert document_text(b"\xef\xbb\xbf<a>\0b\0</a>").text == "<a>b</a>"


@each_row("size", range(12))
def test_any_few_bytes_are_some_text(size: int) -> None:
    for number in range(0, 256, 5):
        document_text(bytes([number]) * size)


@each_row(
    ("head", "label"),
    [
        (b"<?xml version='1.0' encoding='KOI8-R'?>", "koi8-r"),
        (b'\n <?xml version="1.0"\n  encoding = "x" standalone="yes"?>', "x"),
        (b'<?xml version="1.0" encoding="UTF-16"?>', "utf-8"),
        (b'<?xml version="1.0"?><a encoding="b">', None),
        (b"<meta charset=koi8-r>", None),
        (b"", None),
        (b"<?xml " * 1000, None),
    ],
)
def test_declarations_of_documents_are_found(head: bytes, label: str | None) -> None:
    assert declared_in_xml(head) == label
