"""The records of Zenodo, and why each is there; the newest version is last."""

from typing import Any

from newsroom.repositories.dataset import Dataset, File, State
from newsroom.repositories.files import (
    NO_DISK,
    big,
    binary,
    bundle,
    declared,
    empty,
    hostile,
    many,
    packed,
    picture,
    table,
    text,
)


def record(number: int, title: str, *files: File, concept: int = 0, **others: Any) -> Dataset:
    """A record; the number of the concept is the record's own less one."""
    parent = concept or number - 1
    return Dataset(
        "zenodo",
        str(number),
        title,
        files,
        doi=f"10.5072/zenodo.{number}",
        concept=str(parent),
        concept_doi=f"10.5072/zenodo.{parent}",
        **others,
    )


def _rdm(id: str, title: str, *files: File, **others: Any) -> Dataset:
    return Dataset(
        "zenodo",
        id,
        title,
        files,
        doi=f"10.5072/rdm.{id}",
        concept=f"{id[:-1]}0",
        concept_doi=f"10.5072/rdm.{id[:-1]}0",
        host="rdm.example",
        shape="native",
        **others,
    )


CLOSED = "platform-restricted"

ZENODO = (
    record(10200001, "River gauges of Velmora, 2019", table("gauges.csv"), text("READ ME.txt")),
    record(
        10200003,
        "River gauges of Velmora, 2019–2023",
        table("sub dir/data file.csv"),
        table("sub dir/deeper/data file.csv", 700),
        table("data file.csv", 900),
        text("READ ME.txt"),
        picture("map.png"),
        concept=10200000,
        version="2",
    ),
    record(10200011, "One table", table("only.csv", 5_000), expect="success-file"),
    record(
        10200021,
        "Ñandú, Čáp, 鶴 – names of birds",
        text("ñandú.txt"),
        text("čáp/Ж.txt"),
        table("鶴/データ.csv", 300),
    ),
    record(10200031, "Nothing was measured", empty("nothing.csv"), text("why.txt")),
    record(10200041, "Packed tables", packed("tables.csv.gz"), bundle("all.zip")),
    record(10200051, "Hostile paths", *hostile(), binary("zenodo.example-10200051_meta.xml", 60)),
    record(10200061, "Thirty stations", *many("stations", 30)),
    record(10200071, "Too many stations", *many("stations", 250), expect="too-many-files"),
    record(10200081, "A film of the river", big("film.bin"), expect="success-file"),
    record(
        10200091, "A scan of everything", declared("scan.bin", NO_DISK), expect="too-large-size"
    ),
    record(10200101, "In the shape of 2022", table("old/a.csv"), text("b.txt"), shape="legacy"),
    record(
        10200111, "In the shape of 10/2023", table("a b.csv"), text("c.txt"), shape="transitional"
    ),
    record(10200121, "Without a licence", table("a.csv"), text("b.txt"), license=""),
    record(
        10200131,
        "A wrong hash",
        table("a.csv", told="0" * 32),
        text("b.txt"),
        expect="mismatch-md5",
    ),
    record(10200141, "Other hashes", table("a.csv", checksum="sha1"), table("b.csv", checksum="")),
    record(
        10200151,
        "On request",
        table("a.csv"),
        state=State.RESTRICTED,
        reason="Ask the owner",
        expect=CLOSED,
    ),
    record(
        10200161,
        "In ten years",
        table("a.csv"),
        state=State.EMBARGOED,
        until="2036-01-01",
        expect=CLOSED,
    ),
    record(10200171, "Removed", table("a.csv"), state=State.GONE, reason="spam", expect=CLOSED),
    record(10200181, "Hidden", table("a.csv"), state=State.HIDDEN, expect="platform-404"),
    record(10200191, "A description only", expect="empty-manifest"),
    record(
        10200201,
        "A software release",
        bundle("code-1.0.zip"),
        kind="software",
        expect="success-file",
    ),
    _rdm("8d5a1-nmx31", "Native records", table("a/b.csv"), text("c.txt")),
    _rdm("8d5a2-nmx31", "Native, with many files", *many("tables", 120)),
    _rdm(
        "8d5a3-nmx31",
        "Native, embargoed",
        table("a.csv"),
        state=State.EMBARGOED,
        until="2036-01-01",
        reason="Under review",
        expect=CLOSED,
    ),
    _rdm("8d5a4-nmx31", "Native, removed", table("a.csv"), state=State.GONE, expect=CLOSED),
)
