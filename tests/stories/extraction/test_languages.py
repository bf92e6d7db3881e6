"""The language of a story."""

import pytest

from indexer.stories.extraction import languages as module
from indexer.stories.extraction.languages import detected, story_language
from tests.each_row import each_row

EN = "The city council voted on Tuesday night to open three new libraries in the northern part."
PT = "O prefeito anunciou nesta terça-feira a construção de três novas estações de metrô na cidade."
YUE = "佢哋今日喺屋企食咗飯之後先至去行街，跟住又去咗睇戲，夜晚十點幾先返到嚟瞓覺。"


@each_row(
    ("html", "text", "language", "full"),
    [
        ('<html lang="en-AU">', EN, "en", "en-AU"),
        ('<html lang="pt-br">', PT, "pt", "pt-br"),
        ("<html>", EN, "en", "en"),
        # The text is right where a template says something else.
        ('<html lang="en-US">', PT, "pt", "pt"),
        ('<html lang="EN">', EN, "en", "en"),
        ('<meta http-equiv="Content-Language" content="pt-PT"><html>', PT, "pt", "pt-PT"),
        # Numbers are of no language; then the declaration counts.
        ('<html lang="de-AT">', "12 34 56 78 90", "de", "de-AT"),
        ('<html lang="">', "12 34 56 78 90", None, None),
        ('<html lang="template">', "12 34 56 78 90", None, "template"),
        ("<html>", YUE, "zh", "yue"),
    ],
)
def test_the_language(html: str, text: str, language: str | None, full: str | None) -> None:
    assert story_language(html, text * 4) == (language, full)


ARZ = "انا مش عارف ايه اللي حصل امبارح في البلد دي عشان كنت نايم طول اليوم. "
AR = "قال رئيس البلدية إن المكتبة الجديدة ستفتح أبوابها أمام الجميع في الربيع المقبل. "
HE = "ערב טוב לכולם, היום נדבר על ספרים חדשים שהגיעו לספרייה העירונית. "
JV = "Basa Jawa iku basa sing dituturake dening wong Jawa ing tlatah tengah lan wetan. "


@each_row(
    ("text", "language", "asks_both"),
    [
        (EN, "en", False),
        (PT, "pt", False),
        (HE, "he", False),
        (JV, "jv", False),
        (AR, "ar", False),
        (ARZ, "ar", False),
        # Cantonese, characters that one detector refuses, two languages.
        (YUE, "yue", True),
        (f"{EN}\x85{EN}", "en", True),
        (f"{EN}\ufdd0{EN}", "en", True),
        (EN + HE, "he", True),
    ],
)
def test_the_slower_detector_is_asked_in_doubt_and_the_codes_are_its_own(
    monkeypatch: pytest.MonkeyPatch, text: str, language: str, asks_both: bool
) -> None:
    asked: list[str] = []

    def likely(text: str) -> str | None:
        asked.append(text)
        return slow(text)

    slow = module._likely
    monkeypatch.setattr(module, "_likely", likely)
    assert detected(text * 4) == slow(text * 4) == language
    assert bool(asked) is asks_both
    monkeypatch.undo()


def test_without_the_faster_detector_the_other_one_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "pycld2", None)
    assert detected(PT * 4) == "pt"
