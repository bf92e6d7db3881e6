"""A query finds the same stories in every index, in every language."""

import pytest

from indexer.search import SearchIndex, open_index
from indexer.search.language.query import Query
from indexer.stories.indexing.fields import STORY_FIELDS
from tests.search.corpus import corpus, fill, found

ALL = " ".join(document.id for document in corpus())

QUERIES = [
    # Words, and how they are combined.
    ("bridge", "en-flood en-bridge"),
    ("BRIDGE", "en-flood en-bridge"),
    ("bridge river", "en-flood en-bridge"),
    ("bridge AND power", "en-flood"),
    ("power OR election", "en-flood en-election"),
    ("power OR election mayor", "en-flood en-election"),
    ("(power OR rebuild) river", "en-flood en-bridge"),
    ("bridge NOT power", "en-bridge"),
    ("bridge -power", "en-bridge"),
    ("bridge -(power OR rebuild)", ""),
    ("NOT language:en", " ".join(id for id in ALL.split() if id[:2] not in ("en", "em", "od"))),
    ("-bridge -election domain:dailypost.example", ""),
    ("river AND NOT NOT bridge", "en-flood en-bridge"),
    ("bridge || election && votes", "en-flood en-bridge en-election"),
    ("river and bridge", "en-flood"),
    ("*", ALL),
    ("* -language:*", "bare"),
    ("nothing nowhere", ""),
    # Phrases and beginnings of words.
    ('"harbour bridge"', "en-flood"),
    ('"bridge harbour"', ""),
    ('"old bridge"', "en-bridge"),
    ("“old harbour bridge”", "en-flood"),
    ("elec*", "en-election es-eleccion"),
    ("ELEC*", "en-election es-eleccion"),
    ("e-mail", "en-election"),
    ("e-ma*", "en-election"),
    ('"mail e"', ""),
    ("rebuil* OR wins", "en-bridge en-election"),
    # Fields.
    ("title:bridge", "en-flood en-bridge"),
    ("title:power", ""),
    ("text:power", "en-flood"),
    ('article_title:"harbour bridge"', "en-flood"),
    ("text_content:(power AND villages)", "en-flood"),
    ("title:elec*", "en-election es-eleccion"),
    ("title:(flood OR election)", "en-flood en-election"),
    ("domain:wire.example", "en-tech en-caps emoji odd"),
    ("canonical_domain:WIRE.EXAMPLE summit", "en-caps"),
    ("domain:*post.example", "en-election en-bridge"),
    ("domain:wire* -fans", "en-tech en-caps odd"),
    ("language:ES", "es-rio es-eleccion"),
    ("lang:ru OR lang:el", "ru-reka ru-vybory el-potami"),
    ("url:https://www.gazeta.example/ru/ru-reka", "ru-reka"),
    ("url:*gazeta*", "ru-reka ru-vybory"),
    ('url:"https://www.wire.example/search?q=a*b[c]&x=%20(y)"', "odd"),
    ("url:https://www.wire.example/search?q=*[c]*(y)", "odd"),
    ("url:https://www.wire.example/search?Q=*", ""),
    ("title:* -language:en -language:es -domain:*.example", ""),
    ("-title:*", "odd bare"),
    ("-date:*", "en-caps odd bare"),
    # Dates.
    ("date:2024-02-03", "en-election"),
    ("publication_date:[2024-01-15 TO 2024-01-17]", "en-flood es-rio ru-reka"),
    ("date:{2024-01-15 TO 2024-01-17}", "es-rio"),
    ("date:[2024-01-15 TO 2024-01-17}", "en-flood es-rio"),
    ("date:2024-02 -domain:dailypost.example", "es-eleccion ru-vybory zh-xuanju"),
    ("date:[* TO 2023]", "en-tech"),
    ("date:[2024-02 TO *] votos", "es-eleccion"),
    ("indexed:2023-06", "bare"),
    ("indexed_date:[2024-03-01T10:00:00 TO 2024-03-02]", "en-flood en-election"),
    ('indexed:"2024-03-02T10:00:00.000001Z"', "en-election"),
    # Numbers and signs.
    ("3.5", "en-flood"),
    ("1,024", "en-election"),
    ("1.024", "es-eleccion"),
    ("10:30", "en-tech"),
    ("x_1", "en-tech"),
    ("file_name_2024", "en-bridge"),
    ("pdf", "en-bridge"),
    ("file_name_2024.pdf", "en-bridge"),
    ("U.S.A", "en-election"),
    ("AT&T", "en-tech"),
    ("C++", "en-tech"),
    ("#1 choice", "en-tech"),
    ("editor@wire.example", "en-tech"),
    ("isn't", "en-bridge"),
    ("isn’t", ""),
    ("& bridge —", "en-flood en-bridge"),
    # Case, accents and composition.
    ("café", "en-caps fr-cafe"),
    ("cafe", "en-caps"),
    ("cafe\u0301", "en-caps fr-cafe"),
    ("ÉLÈVE", "fr-nfd"),
    ("L'ÉLÈVE", "fr-nfd"),
    ("préféré", "fr-nfd"),
    ("prefere", ""),
    ("naïve", "emoji"),
    ("na*", "en-caps emoji"),
    ("ångström k", "en-caps"),
    ("straße", "de-strasse"),
    ("strasse", ""),
    ("donaudampf*", "de-strasse"),
    ("l’été", "fr-cafe"),
    ("l'été", "fr-cafe"),
    ("10\u202f000", "fr-cafe"),
    ("istanbul'da", "tr-nehir"),
    ("ISPARTA", "tr-nehir"),
    ("ısparta", ""),
    ("ποταμός", "el-potami"),
    ("ΠΟΤΑΜΟΣ", "el-potami"),
    ("ποταμος", ""),
    ("ΠΟΛΗ", "el-potami"),
    # Scripts.
    ("niño niña", "es-rio"),
    ("река", "ru-reka"),
    ("РЕКА", "ru-reka"),
    ("ёлка", "ru-reka"),
    ("елка", ""),
    ("выбор*", "ru-vybory"),
    ("41,5", "ru-vybory"),
    ("中国", "zh-heshui"),
    ("国中", "zh-xuanju"),
    ("河水漫过", "zh-heshui"),
    ("2024年", "zh-heshui"),
    ("大桥 断电", "zh-heshui"),
    ("title:市长 选举", "zh-xuanju"),
    ("市长在周*", "zh-xuanju"),
    ("港口", "zh-heshui"),
    ("コンピューターセンター", "ja-kawa"),
    ("コンピ*", "ja-kawa"),
    ("の橋", "ja-kawa"),
    ("１２３", "ja-kawa"),
    ("123", ""),
    ("다리를", "ko-gang"),
    ("강물*", "ko-gang"),
    ("الجسر", "ar-nahr"),
    ("الجس*", "ar-nahr"),
    ("إنّ", "ar-nahr"),
    ("٣", "ar-nahr"),
    ("مدرسه\u200cها", "fa-rud"),
    ("مدرسه", ""),
    ("הגשר", "he-nahar"),
    ('צה\\"ל', "he-nahar"),
    ("ג'ירפה", "he-nahar"),
    ("पुल", "hi-nadi"),
    ("गाँव*", "hi-nadi"),
    ("แม่น้ำท่วมสะพานเก่า", "th-maenam"),
    ("แม่น้ำ*", "th-maenam"),
    ("cầu", "vi-song"),
    ("cau", ""),
    ("😀", "emoji"),
    ("👨‍👩‍👧", "emoji"),
    ("🇩🇪 -domain:x", "emoji"),
    ('"team 👨‍👩‍👧 from"', "emoji"),
    ('"fans celebrate"', ""),
]


@pytest.mark.parametrize(
    "kind", ["sqlite", pytest.param("elasticsearch", marks=pytest.mark.external)]
)
def test_each_query_finds_the_expected_stories(kind: str, request: pytest.FixtureRequest) -> None:
    index = filled(kind, request)
    wrong = {}
    for query, ids in QUERIES:
        hits = sorted(found(index, query))
        if hits != sorted(ids.split()) or index.count(Query(query)) != len(hits):
            wrong[query] = (hits, ids)
    assert wrong == {}


def filled(kind: str, request: pytest.FixtureRequest) -> SearchIndex:
    """Return an index of that kind with the whole corpus."""
    index = open_index(request.getfixturevalue(f"{kind}_index_url"), STORY_FIELDS)
    request.addfinalizer(index.close)
    fill(index, *corpus())
    return index
