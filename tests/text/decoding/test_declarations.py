"""The encoding that a page declares in its markup (WHATWG HTML, 13.2.3.2)."""

from indexer.text.decoding.declarations import declared_label
from tests.each_row import each_row


@each_row(
    ("html", "label"),
    [
        (b'<meta charset="windows-1251">', "windows-1251"),
        (b"<META CHARSET=windows-1251>", "windows-1251"),
        (b"<meta charset='Shift_JIS' />", "shift_jis"),
        (b'<meta name="a" charset = "koi8-r" content="x">', "koi8-r"),
        (b'<meta http-equiv="Content-Type" content="text/html; charset=gb2312">', "gb2312"),
        (b"<meta content='text/html;charset=\"big5\"' http-equiv=content-type>", "big5"),
        (b'<?xml version="1.0" encoding="iso-8859-2"?><html>', "iso-8859-2"),
        (b'<?xml version="1.0" encoding="iso-8859-2"?><meta charset="utf-8">', "utf-8"),
        (b'<meta charset="euc-jp"><meta charset="utf-8">', "euc-jp"),
        # Markup that can be read like this is not in UTF-16.
        (b'<meta charset="utf-16le">', "utf-8"),
        # Not declarations.
        (b'<!-- <meta charset="koi8-r"> --><p>', None),
        (b'<!-- <meta charset="koi8-r"> --><meta charset="big5">', "big5"),
        (b'<meta name="description" content="text/html; charset=koi8-r">', None),
        (b'<metadata charset="koi8-r">', None),
        (b'<a href="?charset=koi8-r">', None),
        (b"<p>" + b"x" * 9000 + b'<meta charset="koi8-r">', None),
        (b"", None),
    ],
)
def test_declarations_of_pages_are_found(html: bytes, label: str | None) -> None:
    assert declared_label(html) == label
