"""Persons and organisations are recognised by ORCID, then e-mail, then name; nothing gets lost."""

from indexer.software.merging.merge import merge
from indexer.software.merging.merged import MergedMetadata
from indexer.software.syntax.tree import Tree
from tests.each_row import each_row
from tests.software.merging.stating import manifest, person

ORCID = "https://orcid.org/0000-0002-1825-0097"
OTHER_ORCID = "https://orcid.org/0000-0001-5109-3700"


def authors(*lists: list[Tree]) -> MergedMetadata:
    """The authors that some manifests list, the most trusted manifest first."""
    return merge(
        manifest(f"{rank}.json", rank, *(("author", each) for each in values))
        for rank, values in enumerate(lists, 1)
    )


def organisation(name: str, **fields: Tree) -> Tree:
    return {"type": "Organization", "name": name, **fields}


ONE: list[tuple[Tree, Tree, Tree]] = [
    (
        person("Jane Doe", id=ORCID),
        person("J. Doe", id=f"{ORCID}/", email="jane@x.example"),
        person("Jane Doe", id=ORCID, email="jane@x.example"),
    ),
    (
        person("Jane Doe", email="jane@x.example"),
        person("jdoe", email="Jane@X.example", id=ORCID),
        person("Jane Doe", email="jane@x.example", id=ORCID),
    ),
    (
        person("Jane Doe"),
        person(givenName="Jane", familyName="Doe", email="jane@x.example"),
        person("Jane Doe", givenName="Jane", familyName="Doe", email="jane@x.example"),
    ),
    (
        person(givenName="Zoë", familyName="Ångström"),
        person("ANGSTROM, Zoe", url="https://z.example"),
        person(givenName="Zoë", familyName="Ångström", url="https://z.example"),
    ),
    ("Jane Doe", "jane  doe", "Jane Doe"),
    ("Jane Doe", person("Jane Doe"), {"name": "Jane Doe", "type": "Person"}),
    (
        person("Jane Doe", id="https://jane.example"),
        person("Jane Doe", id=ORCID),
        person("Jane Doe", id=ORCID),
    ),
]


@each_row(("trusted", "other", "merged"), ONE)
def test_a_person_in_two_files_is_one_with_the_fields_of_both(
    trusted: Tree, other: Tree, merged: Tree
) -> None:
    found = authors([trusted], [other])
    (value,) = found.values
    assert value.value == merged
    assert [each.path for each in value.stated] == ["1.json", "2.json"]


TWO: list[tuple[Tree, Tree]] = [
    (person("Jane Doe", id=ORCID), person("Jane Doe", id=OTHER_ORCID)),
    (person("Jane Doe", email="team@x.example"), person("Ann Other", email="team@x.example")),
    (person("Mercury"), organisation("Mercury")),
    (person("Jane Doe"), person("John Doe")),
    (person(email="a@x.example"), person(email="b@x.example")),
    ({"type": "Role", "roleName": "a"}, {"type": "Role", "roleName": "b"}),
]


@each_row(("one", "other"), TWO)
def test_different_persons_stay_two(one: Tree, other: Tree) -> None:
    assert [each.value for each in authors([one], [other]).values] == [one, other]


IN_ONE_FILE: list[tuple[Tree, Tree]] = [
    (person("Jane Doe", id=ORCID), person("Ann Other", id=ORCID)),
    (person("Jane Doe", email="jane@x.example"), person("Ann Other", email="jane@x.example")),
    (person("Wei Li", email="w@a.example"), person("Wei Li", email="w@b.example")),
]


@each_row(("one", "other"), IN_ONE_FILE)
def test_two_authors_of_one_file_are_two_also_with_one_orcid_or_email(
    one: Tree, other: Tree
) -> None:
    assert [each.value for each in authors([one, other]).values] == [one, other]


def test_an_author_that_is_repeated_in_a_file_is_one() -> None:
    found = authors(
        [person("Jane Doe"), person("Ann Other"), person("jane doe", email="j@x.example")]
    )
    assert [each.value for each in found.values] == [
        person("Jane Doe", email="j@x.example"),
        person("Ann Other"),
    ]


def test_a_third_entry_joins_two_that_share_nothing() -> None:
    found = authors(
        [person("Jane Doe", id=ORCID)],
        [person("jdoe", email="jane@x.example")],
        [person("Jane Doe", email="jane@x.example")],
    )
    assert [each.value for each in found.values] == [
        person("Jane Doe", id=ORCID, email="jane@x.example")
    ]


def test_the_order_of_the_most_trusted_list_is_kept() -> None:
    found = authors(
        [person("C"), person("A"), person("B")], [person("A"), person("D"), person("C")]
    )
    assert [each.value for each in found.values] == [person(name) for name in "CABD"]


def test_a_person_of_two_roles_has_the_same_fields_in_both() -> None:
    merged = merge(
        [
            manifest("1.json", 1, ("author", person("Jane Doe", id=ORCID))),
            manifest("2.json", 2, ("maintainer", person("Jane Doe", email="j@x.example"))),
        ]
    )
    whole = person("Jane Doe", id=ORCID, email="j@x.example")
    assert [(each.term, each.value) for each in merged.values] == [
        ("author", whole),
        ("maintainer", whole),
    ]


CONFLICTS: list[tuple[Tree, Tree, str, Tree, Tree]] = [
    (person("J. Doe", id=ORCID), person("Jane Doe", id=ORCID), "author/name", "J. Doe", "Jane Doe"),
    (
        person("Jane Doe", email="a@x.example"),
        person("Jane Doe", email="b@x.example"),
        "author/email",
        "a@x.example",
        "b@x.example",
    ),
    (
        person("Jane Doe", affiliation=organisation("A")),
        person("Jane Doe", affiliation=organisation("B")),
        "author/affiliation",
        organisation("A"),
        organisation("B"),
    ),
]


@each_row(("trusted", "other", "term", "kept", "rejected"), CONFLICTS)
def test_fields_that_contradict_each_other_are_conflicts(
    trusted: Tree, other: Tree, term: str, kept: Tree, rejected: Tree
) -> None:
    (found,) = authors([trusted], [other]).conflicts
    assert (found.term, found.kept[0].value, found.others[0].value) == (term, kept, rejected)
    assert [each.stated[0].path for each in (*found.kept, *found.others)] == ["1.json", "2.json"]


def test_entries_with_one_mailbox_are_compared_in_linear_time() -> None:
    many: list[Tree] = [person(f"Person {n}", email="jane@x.example") for n in range(2000)]
    assert len(authors(many).values) == 2000
