"""Labels of encodings (WHATWG Encoding Standard, 4.2)."""

import codecs

from indexer.text.decoding import charsets
from indexer.text.decoding.charsets import charset
from tests.each_row import each_row


@each_row(
    ("label", "name"),
    [
        ("utf8", "utf-8"),
        (" UTF-8\t", "utf-8"),
        ('"utf-8"', "utf-8"),
        ("iso-8859-1", "windows-1252"),
        ("Latin1", "windows-1252"),
        ("us-ascii", "windows-1252"),
        ("iso-8859-9", "windows-1254"),
        ("tis-620", "windows-874"),
        ("gb2312", "gb18030"),
        ("GBK", "gb18030"),
        ("big5-hkscs", "big5"),
        ("x-sjis", "shift_jis"),
        ("ks_c_5601-1987", "euc-kr"),
        ("x-user-defined", "windows-1252"),
        ("koi8-r", "koi8-r"),
    ],
)
def test_labels_mean_the_same_as_in_browsers(label: str, name: str) -> None:
    found = charset(label)
    assert found is not None
    assert found.name == name


@each_row("label", [None, "", "utf-9", "unicode_escape", "rot13", "zip", "idna", "utf-7", "\x00"])
def test_codecs_that_are_no_character_sets_are_no_labels(label: str | None) -> None:
    assert charset(label) is None


def test_python_has_a_codec_for_every_encoding() -> None:
    names = {charset(label) for label in charsets._CHARSETS}
    assert len(names) > 35
    for found in names:
        assert found is not None
        assert codecs.lookup(found.codec)
        assert charset(found.name) == found
