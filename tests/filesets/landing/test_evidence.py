"""The evidence in a request and its page: URLs, DOIs, links, declared datasets."""

from indexer.filesets.landing.evidence import Evidence, evidence_of, typed_links
from indexer.filesets.landing.resource import Resource
from tests.each_row import each_row

HERE = "https://repo.example.org/item/1"


def evidence(page: str, **headers: str) -> Evidence:
    hops = ["https://doi.org/10.5072/a", "https://repo.example.org/old", HERE]
    resource = Resource(hops, HERE, "20260101000000", 200, headers, "text/html", page.encode())
    return evidence_of(hops[0], {"doi": "10.5072/B"}, resource, {"doi": "10.5072/page"})


def test_the_last_url_is_the_first_evidence() -> None:
    found = evidence("")
    assert found.urls == [HERE, "https://repo.example.org/old", "https://doi.org/10.5072/a"]
    assert found.url == HERE
    assert found.dois == ["10.5072/b", "10.5072/a"]
    assert found.page_dois == ["10.5072/page"]


@each_row(
    ("header", "links"),
    (
        ('<a.csv>; rel="item"; type="text/csv"', ["item text/csv /item/a.csv"]),
        (
            '<https://doi.org/10.5072/a> ; rel=cite-as, <b,c;d>;title="x, <y>; z" ;rel="item"',
            ["cite-as  /10.5072/a", "item  /item/b,c;d"],
        ),
        ('<a>; rel="item http://example.org/r"; REL=x', ["x  /item/a"]),
        ("<a>", ["  /item/a"]),
        ("a; rel=item", []),
        ("<" * 9999, []),
        ("<http://[/>; rel=item", ["item  http://[/"]),
        ("", []),
    ),
)
def test_links_are_read_from_a_header(header: str, links: list[str]) -> None:
    found = typed_links(header, HERE)
    texts = [f"{link.rel} {link.type} {link.href}" for link in found]
    origins = ("https://repo.example.org", "https://doi.org")
    for origin in origins:
        texts = [text.replace(origin, "") for text in texts]
    assert texts == links


def test_links_of_the_header_and_of_the_page_are_evidence() -> None:
    found = evidence(
        '<link rel="ITEM" href="b.csv"><link rel=canonical href="/c">', link="<a>; rel=item"
    )
    assert [link.href for link in found.linked("item")] == [
        "https://repo.example.org/item/a",
        "https://repo.example.org/item/b.csv",
    ]
    assert found.page_urls == ["https://repo.example.org/c"]


@each_row(
    ("script", "names"),
    (
        ('{"@type": "Dataset", "name": "a"}', ["a"]),
        ('{"@type": ["Thing", "https://schema.org/Dataset"], "name": "a"}', ["a"]),
        ('[{"@type": "Dataset", "name": "a"}, 7, {"@type": "Person"}]', ["a"]),
        ('{"@graph": [{"@type": "Dataset", "name": "a"}]}', ["a"]),
        ('<!-- {"@type": "sc:Dataset", "name": "a"} -->', []),
        ('<!-- {"@type": "Dataset", "name": "a"} -->', ["a"]),
        ('{"@type": "Dataset", "name": ', []),
        ("[" * 100_000, []),
        ('{"@type": {"a": 1}}', []),
        ('// <![CDATA[\n{"@type": "Dataset", "name": "a"}\n// ]]>', ["a"]),
    ),
)
def test_datasets_of_schema_org_are_found(script: str, names: list[str]) -> None:
    found = evidence(f'<script type="application/ld+json">{script}</script>')
    assert [each["name"] for each in found.datasets] == names


@each_row(
    "identifier",
    (
        '"https://doi.org/10.5072/C"',
        '"doi:10.5072/c"',
        '["7", "10.5072/c"]',
        '{"@type": "PropertyValue", "value": "doi:10.5072/c"}',
        '[{"value": "10.5072/c"}, null, 7, [[]]]',
    ),
)
def test_the_identifier_of_a_dataset_is_a_doi_of_the_page(identifier: str) -> None:
    script = f'{{"@type": "Dataset", "identifier": {identifier}}}'
    found = evidence(f'<script type="application/ld+json">{script}</script>')
    assert "10.5072/c" in found.page_dois


def test_the_generator_of_a_page_is_evidence() -> None:
    assert evidence('<meta name="Generator" content="DSpace 7">').generator == "DSpace 7"


def test_several_datasets_of_a_page_are_no_evidence_of_its_own() -> None:
    script = '[{"@type": "Dataset", "@id": "https://doi.org/10.5072/c"}, {"@type": "Dataset"}]'
    found = evidence(f'<script type="application/ld+json">{script}</script>')
    assert found.page_dois == ["10.5072/page"]


def test_a_url_beyond_all_limits_is_no_evidence() -> None:
    assert evidence_of("https://example.org/" + "a" * 100_000, {}).urls == []
