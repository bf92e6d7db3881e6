"""The language of a story."""

from indexer.stories.extraction.languages import story_language
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
