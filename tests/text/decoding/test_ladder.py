"""Decoding pages. The corpus has pages that other systems have turned into mojibake."""

import random

import pytest

from indexer.errors import Discard, Quarantine
from indexer.text.decoding.ladder import declared_label, decode
from tests.each_row import each_row

EN = "The café’s owner paid a £200 fine — “a disgrace”, he said, and the naïve façade cracked."
ES = "El Ayuntamiento de Málaga aprobó ayer el presupuesto para el próximo año, según informó."
FR = "Le président a déclaré que la réforme serait présentée à l’Assemblée dès la rentrée."
DE = "Der Bundestag hat über das Gesetz zur Förderung der Bürger abgestimmt, hieß es später."
PL = "Rząd przyjął w środę projekt ustawy o ochronie środowiska, zdaniem ekspertów konieczny."
CS = "Premiér dnes oznámil, že vláda schválila nový státní rozpočet. Opozice jej kritizuje."
TR = "Başbakan dün yaptığı açıklamada yeni önlemlerin gelecek hafta yürürlüğe gireceğini söyledi."
RU = "Президент подписал в понедельник указ о создании новой комиссии по вопросам образования."
UK = "Уряд затвердив новий порядок фінансування шкіл, за словами міністра, з першого вересня."
EL = "Η κυβέρνηση ανακοίνωσε χθες νέα μέτρα για την αντιμετώπιση της ανεργίας στη χώρα."
HE = "הממשלה אישרה אתמול את תקציב המדינה לשנה הבאה, ושר האוצר אמר כי הגירעון יישאר נמוך."
AR = "أعلنت الحكومة أمس عن إجراءات جديدة لمواجهة البطالة وقال رئيس الوزراء إن الاقتصاد سوف يتعافى"
TH = "รัฐบาลประกาศมาตรการใหม่เพื่อแก้ไขปัญหาการว่างงาน นายกรัฐมนตรีกล่าวว่าเศรษฐกิจจะฟื้นตัว"
JA = "政府は昨日、新しい経済対策を発表した。首相は記者会見で、来年度中に景気が回復すると述べた。"
ZH = "国务院昨日召开常务会议，研究部署进一步扩大内需的措施，确保全年经济社会发展目标顺利实现。"
TW = "行政院昨日召開院會，討論明年度中央政府總預算案，政府將持續推動各項重大建設。"
KO = "정부는 어제 새로운 경제 대책을 발표했다. 국무총리는 기자회견에서 전망을 밝혔다. 펲시맨"

META = '<meta charset="{}">'
EQUIV = '<meta http-equiv="Content-Type" content="text/html; charset={}">'


def page(text: str, codec: str, head: str = "") -> bytes:
    html = f"<!DOCTYPE html><html><head>{head}<title>{text[:20]}</title></head><p>{text * 3}</p>"
    return html.encode(codec)


# text, Python's codec, what the page declares, what HTTP declares → encoding, rung
CORPUS = [
    # Nothing lies.
    (EN, "utf-8", META.format("utf-8"), "UTF-8", "utf-8", "http"),
    (RU, "cp1251", "", "windows-1251", "windows-1251", "http"),
    (JA, "cp932", META.format("shift_jis"), None, "shift_jis", "meta"),
    (ZH, "gb18030", EQUIV.format("gb2312"), None, "gb18030", "meta"),
    (KO, "cp949", META.format("ks_c_5601-1987"), None, "euc-kr", "meta"),
    (TW, "big5", META.format("x-x-big5"), None, "big5", "meta"),
    (EN, "cp1252", EQUIV.format("iso-8859-1"), None, "windows-1252", "meta"),
    (JA, "iso2022-jp", META.format("iso-2022-jp"), None, "iso-2022-jp", "meta"),
    # HTTP comes before the page: proxies have recoded it.
    (RU, "koi8-r", META.format("windows-1251"), "koi8-r", "koi8-r", "http"),
    # A library's default is a hint at most.
    (EN, "utf-8", META.format("utf-8"), "ISO-8859-1", "utf-8", "meta"),
    (RU, "utf-8", "", "ISO-8859-1", "utf-8", "utf-8"),
    (RU, "cp1251", EQUIV.format("windows-1251"), "ISO-8859-1", "windows-1251", "meta"),
    (RU, "cp1251", "", "ISO-8859-1", "windows-1251", "detected"),
    (PL, "iso8859-2", "", "ISO-8859-1", "iso-8859-2", "detected"),
    # What is declared is wrong.
    (EN, "utf-8", EQUIV.format("iso-8859-1"), None, "utf-8", "utf-8"),
    (DE, "utf-8", META.format("windows-1252"), "windows-1252", "utf-8", "utf-8"),
    (ES, "cp1252", META.format("utf-8"), "utf-8", "windows-1252", "detected"),
    (RU, "cp1251", META.format("windows-1251"), "utf-8", "windows-1251", "meta"),
    (JA, "euc-jp", "", "utf-8", "euc-jp", "detected"),
    (FR, "utf-8", META.format("utf-16"), None, "utf-8", "meta"),
    (FR, "utf-8", "", "utf-16", "utf-8", "utf-8"),
    (DE, "utf-8", META.format("x-no-such-thing"), "none", "utf-8", "utf-8"),
    (RU, "cp1251", META.format("x-no-such-thing"), "8859", "windows-1251", "detected"),
    # Nothing is declared.
    (EN, "utf-8", "", None, "utf-8", "utf-8"),
    (ES, "cp1252", "", None, "windows-1252", "detected"),
    (CS, "cp1250", "", None, "windows-1250", "detected"),
    (TR, "cp1254", "", None, "windows-1254", "detected"),
    (UK, "cp1251", "", None, "windows-1251", "detected"),
    (RU, "koi8-r", "", None, "koi8-r", "detected"),
    (EL, "cp1253", "", None, "iso-8859-7", "detected"),
    (HE, "cp1255", "", None, "windows-1255", "detected"),
    (AR, "cp1256", "", None, "windows-1256", "detected"),
    (TH, "cp874", "", None, "windows-874", "detected"),
    (JA, "cp932", "", None, "shift_jis", "detected"),
    (JA, "iso2022-jp", "", None, "iso-2022-jp", "detected"),
    (ZH, "gb18030", "", None, "gb18030", "detected"),
    (TW, "big5", "", None, "big5", "detected"),
    (KO[:40], "euc-kr", "", None, "euc-kr", "detected"),
    # UTF-16, with and without a mark.
    (JA, "utf-16-le", "", None, "utf-16le", "detected"),
    (EN, "utf-16-be", META.format("utf-8"), "utf-8", "utf-16be", "detected"),
]


@each_row(("text", "codec", "head", "http", "encoding", "rung"), CORPUS)
def test_no_page_becomes_mojibake(
    text: str, codec: str, head: str, http: str | None, encoding: str, rung: str
) -> None:
    found = decode(page(text, codec, head), http)
    assert text * 3 in found.text
    assert (found.encoding, found.rung) == (encoding, rung)


@pytest.mark.parametrize(
    ("bom", "codec", "encoding"),
    [
        (b"\xef\xbb\xbf", "utf-8", "utf-8"),
        (b"\xff\xfe", "utf-16-le", "utf-16le"),
        (b"\xfe\xff", "utf-16-be", "utf-16be"),
    ],
)
def test_a_byte_order_mark_overrides_declarations_and_is_removed(
    bom: bytes, codec: str, encoding: str
) -> None:
    found = decode(bom + page(RU, codec, META.format("koi8-r")), "windows-1251")
    assert found.text.startswith("<!DOCTYPE")
    assert RU in found.text
    assert (found.encoding, found.rung, found.bom) == (encoding, "bom", len(bom))


def test_a_decoded_document_has_the_same_encoding_without_its_mark() -> None:
    body = page(RU, "utf-16-le")
    assert decode(body, None, "utf-16le").text == decode(b"\xff\xfe" + body).text


def test_a_recorded_encoding_comes_before_the_declaration_of_the_page() -> None:
    found = decode(page(RU, "koi8-r", META.format("windows-1251")), "ISO-8859-1", "koi8-r")
    assert (found.encoding, found.rung) == ("koi8-r", "known")
    assert RU in found.text


@pytest.mark.parametrize("http", [None, "ISO-8859-1"])
def test_a_librarys_default_that_was_stored_is_a_hint_too(http: str | None) -> None:
    found = decode(page(RU, "cp1251", META.format("windows-1251")), http, "ISO-8859-1")
    assert (found.encoding, found.rung) == ("windows-1251", "meta")


def test_a_hint_is_taken_where_nothing_else_is_known() -> None:
    found = decode(b"<p>Caf\xe9</p>", "ISO-8859-1")
    assert (found.text, found.encoding) == ("<p>Café</p>", "windows-1252")


@pytest.mark.parametrize("cut", [1, 2])
def test_a_page_cut_within_a_character_keeps_its_encoding(cut: int) -> None:
    found = decode(f"<p>{JA}".encode()[:-cut], None)
    assert found.encoding == "utf-8"
    assert JA[:-1] in found.text


def test_a_few_broken_characters_do_not_change_the_encoding() -> None:
    body = page(RU, "utf-8", META.format("utf-8")).replace("комиссии".encode(), b"\xd0\xff\xfe")
    found = decode(body, "utf-8")
    assert found.encoding == "utf-8"
    assert "Президент подписал" in found.text


def test_one_possible_utf_8_character_does_not_override_the_declaration() -> None:
    assert decode("<p>Spaß»".encode("cp1252"), "windows-1252").text == "<p>Spaß»"


def test_plain_ascii_is_utf_8() -> None:
    assert decode(b"<p>plain</p>").encoding == "utf-8"
    assert decode(b"<p>plain</p>", "ISO-8859-1").encoding == "utf-8"


def test_nuls_controls_and_lone_surrogates_are_left_out() -> None:
    text = f"<p>{RU}\0{RU}\x1b{RU}\ud800{RU}\x7f{RU}\uffff\t\n</p>"
    found = decode(text.encode("utf-8", "surrogatepass"))
    assert set(found.text) & set("\0\x1b\ud800\x7f\uffff") == set()
    assert found.encoding == "utf-8"
    assert found.text.endswith("\t\n</p>")


@each_row("html", [b"", b" \r\n\t", b"\0\0\0", b"\xef\xbb\xbf", b"\xff\xfe \0"])
def test_a_blank_page_is_discarded(html: bytes) -> None:
    with pytest.raises(Discard) as end:
        decode(html)
    assert end.value.status == "no-html"


_NOISE = random.Random(1).randbytes(20_000)


@each_row("head", [b"", b"\x89PNG\r\n\x1a\n", b"%PDF-1.7\n", b"\x1f\x8b\x08", b"<p>"])
@each_row("http", [None, "utf-8", "windows-1251", "gb18030", "ISO-8859-1"])
def test_bytes_that_are_not_text_are_quarantined(head: bytes, http: str | None) -> None:
    with pytest.raises(Quarantine) as end:
        decode(head + _NOISE, http)
    assert end.value.status == "no-decode"


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
