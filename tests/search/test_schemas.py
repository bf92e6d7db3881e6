"""Every field of every schema can be stored, searched, sorted and exported, in every index."""

import csv
import io
import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest

from indexer.errors import QueryError
from indexer.search import Document, SearchIndex, open_index
from indexer.search.export import columns, csv_row, json_line
from indexer.search.language.query import Query
from indexer.search.language.schema import Json, Sort
from tests.each_row import each_row
from tests.search.corpus import document, fill, found, kinds
from tests.search.schemas import DATASETS

MANIFEST: Json = {"files": [{"path": "a/b.csv", "size": 12, "md5": None}], "note": "“é” \\ 中"}

SETS = [
    document(
        "a",
        doi="10.1/a",
        licenses=["cc-by-4.0", "mit"],
        page="https://sets.example/a(1)?b=c",
        files=3,
        size=5_000_000_000,
        share=0.1,
        open=True,
        released="2024-01-31",
        checked="2024-02-01T10:00:00.000001",
        sha1="da39a3ee",
        manifest=MANIFEST,
    ),
    document(
        "b",
        doi="10.1/b",
        licenses=["cc0"],
        files=0,
        size=-1,
        share=-2.5e-7,
        open=False,
        released="2024-02-30",
        checked="2024-02-02T10:00:00.000000",
        manifest=[1, "x", {}],
    ),
    document("c", doi="10.2/c", size=12, share=1.0, released="2024-02-01", manifest="a text"),
]

QUERIES = [
    ("*", "a b c"),
    ("doi:10.1/A", "a"),
    ("doi:10.1/*", "a b"),
    ("-doi:10.1/*", "c"),
    ("license:mit", "a"),
    ("licenses:(MIT OR cc0)", "a b"),
    ("licenses:cc*", "a b"),
    ("licenses:*by*", "a"),
    ('license:"cc-by-4.0" license:mit', "a"),
    ("license:cc", ""),
    ("license:*", "a b"),
    ("-license:mit", "b c"),
    ("page:https://sets.example/a(1)*", "a"),
    ("files:0", "b"),
    ("files:[1 TO *]", "a"),
    ("files:{0 TO 3}", ""),
    ("files:{0 TO 3]", "a"),
    ("-files:*", "c"),
    ("size:5000000000", "a"),
    ("bytes:[-1 TO 12]", "b c"),
    ("size:-1", "b"),
    ("size:[* TO 12}", "b"),
    ("size:{9223372036854775806 TO *]", ""),
    ('size:(12 OR "-1")', "b c"),
    ("share:0.1", "a"),
    ("share:1", "c"),
    ("share:[0 TO 1]", "a c"),
    ("share:[0 TO 1}", "a"),
    ("share:{0.1 TO *]", "c"),
    ("share:-2.5E-7", "b"),
    ("open:true", "a"),
    ("open:FALSE", "b"),
    ("open:(true OR false)", "a b"),
    ("-open:true", "b c"),
    ("released:2024", "a c"),
    ("released:[2024-02 TO *]", "c"),
    ("-released:*", "b"),
    ('checked:["2024-02-01" TO "2024-02-01T10:00:00"]', "a"),
    ("checked:2024-02", "a b"),
    ("sha1:da39*", "a"),
    ("SHA1:da39a3ee OR files:0", "a b"),
]

MISTAKES = [
    ("word", "write FIELD:VALUE; the fields are doi, licenses, license, page"),
    ("title:word", "there is no field title"),
    ("manifest:x", "there is no field manifest"),
    ("https://sets.example/", 'write page:"…"'),
    ("files:many", "a whole number is written 1024"),
    ("files:3.5", "a whole number is written 1024"),
    ("files:9223372036854775808", "a whole number is written 1024"),
    ("files:*1", "a whole number is written 1024"),
    ("files:>3", "a whole number is written 1024"),
    ("share:1e999", "a number is written 3.5"),
    ("share:nan", "a number is written 3.5"),
    ("open:yes", "write true or false"),
    ("released:2024-02-30", "a date is written 2024, 2024-02 or 2024-02-29"),
    ("files:[1 to 2]", "a range is written files:[300 TO *]"),
    ("files:[1 TO x]", "a whole number is written 1024"),
    ("files:[2 TO 1]", "nothing is within this range"),
    ("files:{9223372036854775807 TO *]", "nothing is within this range"),
    ("doi:[a TO b]", "a range is written files:[300 TO *]"),
]


@pytest.fixture
def datasets(url: str) -> Iterator[SearchIndex]:
    """An index of datasets."""
    with closing(open_index(url, DATASETS)) as index:
        fill(index, *SETS)
        yield index


def test_values_of_every_type_come_back_as_they_were(datasets: SearchIndex) -> None:
    assert datasets.find("abc") == {each.id: each for each in SETS}
    kinds_of_values = {type(value) for value in datasets.find("a")["a"].values.values()}
    assert kinds_of_values == {str, int, float, bool, list, dict}


@each_row(("query", "ids"), QUERIES)
def test_each_query_finds_the_expected_documents(
    datasets: SearchIndex, query: str, ids: str
) -> None:
    assert sorted(found(datasets, query)) == ids.split()
    assert datasets.count(Query(query)) == len(ids.split())


@each_row(("query", "why"), MISTAKES)
def test_a_mistake_is_explained_by_the_fields_of_the_schema(
    datasets: SearchIndex, query: str, why: str
) -> None:
    with pytest.raises(QueryError) as error:
        datasets.count(Query(query))
    assert why in error.value.why


@each_row(
    ("sort", "ids"),
    [
        ((), "acb"),
        ((Sort("size"),), "bca"),
        ((Sort("doi", descending=True),), "cba"),
        ((Sort("share"),), "bac"),
        ((Sort("released", descending=True),), "cab"),
        ((Sort("checked"),), "abc"),
        ((Sort("open"), Sort("size")), "bac"),
        ((Sort("files", descending=True),), "abc"),
    ],
)
def test_hits_are_sorted_by_a_field_and_those_without_it_come_last(
    datasets: SearchIndex, sort: tuple[Sort, ...], ids: str
) -> None:
    assert "".join(found(datasets, sort=sort)) == ids


def test_a_field_that_can_not_be_sorted_by_is_an_error(datasets: SearchIndex) -> None:
    for name in ("licenses", "page", "manifest", "nothing"):
        with pytest.raises(QueryError, match=f"can't be sorted by {name}, but by doi, files, size"):
            datasets.search(Query(sort=(Sort(name),)))


def test_every_field_is_exported(datasets: SearchIndex) -> None:
    [hit] = datasets.search(Query("files:3"))
    line = json.loads(json_line(hit, DATASETS))
    assert line == {"id": "a", **SETS[0].values, "score": 0.0, "snippet": ""}
    text = io.StringIO()
    names = columns(DATASETS)
    csv.writer(text).writerows([names, csv_row(hit, (*names, "manifest"))])
    assert text.getvalue().splitlines() == [
        "doi,licenses,page,files,size,share,open,released,checked,sha1,id,score,snippet",
        "10.1/a,cc-by-4.0; mit,https://sets.example/a(1)?b=c,3,5000000000,0.1,true,2024-01-31,"
        "2024-02-01T10:00:00.000001,da39a3ee,a,0,,"
        '"{""files"":[{""path"":""a/b.csv"",""size"":12,""md5"":null}],""note"":""“é” \\\\ 中""}"',
    ]


def test_a_value_of_another_type_is_refused_with_the_reason(datasets: SearchIndex) -> None:
    bad, good = SETS[0].replace(files="3"), SETS[1].replace(doi="10.3/y")
    refused, created = datasets.add([replace(bad, id="x"), replace(good, id="y")])
    assert (refused.added.name, created.added.name) == ("REFUSED", "CREATED")
    assert refused.why == "its files is not a whole number of 64 bits"


def test_without_an_identity_documents_with_the_same_id_are_the_same(url: str) -> None:
    with closing(open_index(url, replace(DATASETS, identity=()))) as index:
        index.add(SETS[:1])
        [not_refreshed] = index.add([SETS[0].replace(files=9)])
        index.refresh()
        [refreshed] = index.add([SETS[0].replace(files=9)])
    assert [(each.added.name, each.same) for each in (not_refreshed, refreshed)] == [
        ("DUPLICATE", True)
    ] * 2


def test_documents_of_a_schema_without_texts_are_replaced_and_deleted(
    datasets: SearchIndex,
) -> None:
    changed = SETS[0].replace(files=4, licenses=None)
    assert kinds(datasets.update([changed, Document("d", {"doi": "10.4/d"})])) == [
        "UPDATED",
        "CREATED",
    ]
    [again, other] = datasets.add([changed, SETS[1].replace(checked="2025-01-01")])
    assert (again.same, other.same) == (True, False)
    assert [each.erasure.value for each in datasets.delete(["b", "b"])] == ["deleted", "missing"]
    datasets.refresh()
    assert (found(datasets, "files:4"), found(datasets, "license:mit")) == (["a"], [])
    assert sorted(found(datasets)) == ["a", "c", "d"]
