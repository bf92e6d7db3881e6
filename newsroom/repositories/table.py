"""The datasets of the imitation repositories, and why each is there; the newest version is last.

Those of Zenodo are in `records`.
"""

from functools import cache
from typing import Any

from newsroom.repositories.catalogue import MOST_FILES
from newsroom.repositories.content import Content
from newsroom.repositories.dataset import Dataset, File, State
from newsroom.repositories.files import binary, empty, many, packed, picture, table, text
from newsroom.repositories.records import CLOSED, ZENODO, record


def _article(number: int, title: str, *files: File, version: str = "1", **others: Any) -> Dataset:
    doi = f"10.5072/m9.figshare.{number}"
    return Dataset(
        "figshare",
        str(number),
        title,
        files,
        doi=f"{doi}.v{version}",
        concept_doi=doi,
        version=version,
        **others,
    )


def _dataverse(id: str, title: str, *files: File, version: str = "1.0", **others: Any) -> Dataset:
    doi = f"10.5072/{id}"
    others.setdefault("doi", doi)
    pid = others.pop("pid", f"doi:{doi}")
    return Dataset("dataverse", pid, title, files, version=version, **others)


def _survey(path: str) -> File:
    """A table that was uploaded in the format of Stata, and that Dataverse turned into text."""
    stem = path.rpartition(".")[0]
    ingested = File(f"{stem}.tab", table(path, 1_500).content, "text/tab-separated-values")
    upload = binary(path, 2_200, mimetype="application/x-stata-14")
    return File(path, upload.content, upload.mimetype, ingested=ingested)


def _item(id: str, title: str, *files: File, **others: Any) -> Dataset:
    return Dataset("archiveorg", id, title, files, **others)


ARCHIVEORG = (
    _item(
        "velmora-gauges", "River gauges as an item", table("gauges/a b.csv"), text("READ ME.txt")
    ),
    _item("velmora-map", "One picture", picture("map.png"), expect="success-file"),
    _item("velmora-empty", "An item without files", expect="empty-manifest"),
    _item(
        "velmora-partly",
        "An item with a private file",
        table("open.csv"),
        table("closed.csv", restricted=True),
        expect=CLOSED,
    ),
    _item("velmora-dark", "A dark item", table("a.csv"), state=State.GONE, expect=CLOSED),
    _item(
        "velmora-lent",
        "A book that is lent",
        table("a.csv"),
        state=State.RESTRICTED,
        expect=CLOSED,
    ),
    _item(
        "velmora-rivers", "A collection", table("a.csv"), kind="collection", expect="platform-scope"
    ),
)

FIGSHARE = (
    _article(30100001, "Fish of Velmora", table("fish.csv"), text("notes.txt")),
    _article(30100001, "Fish of Velmora", table("fish.csv", 2_500), text("notes.txt"), version="2"),
    _article(30100002, "One figure", picture("figure.png"), kind="figure", expect="success-file"),
    _article(30100003, "Twelve files", *(table(f"part {at}.csv", 300 + at) for at in range(12))),
    _article(
        30100004, "Equal names", table("same.csv"), binary("same.csv", 900, "other"), packed("a.gz")
    ),
    _article(
        30100005,
        "A link to another site",
        File("link", Content(b""), is_link=True),
        expect="platform-scope",
    ),
    _article(
        30100006,
        "Under embargo",
        table("a.csv"),
        state=State.EMBARGOED,
        until="2036-01-01",
        reason="File(s) under embargo",
        expect=CLOSED,
    ),
    _article(
        30100007,
        "Confidential",
        table("a.csv"),
        state=State.CONFIDENTIAL,
        reason="Patients",
        expect=CLOSED,
    ),
    _article(30100008, "A description only", state=State.METADATA_ONLY, expect="empty-manifest"),
    _article(30100009, "At a portal", table("a.csv"), text("b.txt"), host="data.portal.example"),
    Dataset(
        "figshare",
        "7100001",
        "Made-up rivers",
        doi="10.5072/m9.figshare.c.7100001",
        kind="collection",
        # The numbers of its articles.
        reason="30100001 30100002",
        expect="platform-scope",
    ),
    Dataset(
        "4tu",
        "0a1b2c3d-0000-4000-8000-00000000000a",
        "Tides of Velmora",
        (table("tides.csv"), text("notes.txt")),
        doi="10.4121/0a1b2c3d-0000-4000-8000-00000000000a.v1",
    ),
)

DATAVERSE = (
    _dataverse(
        "FK2/ABCDEF",
        "Surveys of Velmora",
        _survey("data/raw/survey.dta"),
        table("data/codes.csv"),
        table("codes.csv", 600, checksum="sha1"),
        text("ReadMe.txt"),
        version="1.0",
    ),
    _dataverse(
        "FK2/ABCDEF",
        "Surveys of Velmora",
        _survey("data/raw/survey.dta"),
        table("data/codes.csv", 2_222),
        table("codes.csv", 600, checksum="sha256"),
        text("ReadMe.txt"),
        version="1.1",
    ),
    _dataverse("FK2/ONEONE", "One table", _survey("only.dta"), expect="success-file"),
    _dataverse("FK2/NOPIDS", "Files without PIDs", table("a.csv"), empty("b"), shape="no-pids"),
    _dataverse("10010", "A number as id", table("a.csv", checksum="sha512"), text("b.txt")),
    _dataverse("FK2/TERMS1", "Terms of use", table("a.csv"), text("b.txt"), license=""),
    _dataverse("FK2/ALLMNY", "A hundred tables", *many("tables", 100)),
    _dataverse(
        "none", "At a handle", table("a.csv"), text("b.txt"), doi="", pid="hdl:1902.1/12345"
    ),
    _dataverse(
        "FK2/PARTLY",
        "Some are restricted",
        table("open.csv"),
        table("closed.csv", restricted=True),
        expect=CLOSED,
    ),
    _dataverse(
        "FK2/EMBARG",
        "Under embargo",
        table("a.csv"),
        state=State.EMBARGOED,
        until="2036-01-01",
        reason="A paper comes",
        expect=CLOSED,
    ),
    _dataverse("FK2/DRAFTS", "A draft", table("a.csv"), state=State.DRAFT, expect=CLOSED),
    _dataverse(
        "FK2/WITHDR",
        "Withdrawn",
        table("a.csv"),
        state=State.GONE,
        reason="Wrong river",
        expect=CLOSED,
    ),
)

OTHERS = (
    Dataset(
        "osf",
        "vel01",
        "A project in folders",
        (table("data/raw/a.csv"), table("data/b c.csv"), *many("tables", 15), text("ReadMe.md")),
        doi="10.17605/osf.io/vel01",
        kind="nodes",
    ),
    Dataset(
        "osf", "vel02", "A registration", (table("a.csv"), text("b.txt")), kind="registrations"
    ),
    Dataset(
        "osf",
        "vel05",
        "Files without links",
        (table("data/a.csv"), text("ñandú.txt"), empty("none")),
        doi="10.17605/osf.io/vel05",
        kind="registrations",
        shape="no-links",
    ),
    Dataset("osf", "vel03", "Private", kind="nodes", state=State.RESTRICTED, expect=CLOSED),
    Dataset("osf", "vel04", "Deleted", kind="nodes", state=State.GONE, expect=CLOSED),
    Dataset(
        "dryad",
        "10.5061/dryad.velmora01",
        "Otters of Velmora",
        (table("otters.csv"), table("weights.csv", checksum="sha256"), text("README.md")),
        doi="10.5061/dryad.velmora01",
        version="3",
    ),
    Dataset(
        "dryad",
        "10.5061/dryad.velmora02",
        "For users of the API",
        (table("a.csv"),),
        doi="10.5061/dryad.velmora02",
        shape="users",
        expect="error-authentication",
    ),
    Dataset(
        "github",
        "velmora/gauges",
        "Gauges 1.0",
        (table("gauges.csv", checksum=""), packed("gauges.csv.gz")),
        version="v1.0",
    ),
    Dataset(
        "github",
        "velmora/gauges",
        "Gauges 2.0",
        (table("gauges.csv", 2_100, checksum="sha256"), text("notes.txt")),
        version="v2.0",
    ),
    Dataset(
        "b2share",
        "0123456789abcdef0123456789abcdef",
        "Weather of Velmora",
        (table("weather.csv"), text("read me.txt")),
        doi="10.23728/b2share.0123456789abcdef0123456789abcdef",
    ),
    Dataset(
        "b2share",
        "fedcba9876543210fedcba9876543210",
        "Closed weather",
        (table("weather.csv"),),
        doi="10.23728/b2share.fedcba9876543210fedcba9876543210",
        state=State.RESTRICTED,
        expect=CLOSED,
    ),
    *(
        Dataset(
            "generic",
            shape or "silent",
            f"A page with {shape or 'nothing for machines'}",
            (table("a b.csv"), text("notes.txt")),
            doi=f"10.5072/generic.{shape or 'silent'}",
            shape=shape,
            expect="success" if shape else "no-platform-match",
        )
        for shape in ("schema-org", "signposting", "linkset", "")
    ),
)


@cache
def datasets() -> tuple[Dataset, ...]:
    """All datasets of the table."""
    return ZENODO + ARCHIVEORG + FIGSHARE + DATAVERSE + OTHERS


def generated(count: int, files: int = 2, size: int = 2_000) -> list[Dataset]:
    """So many datasets of Zenodo with small files, for runs with many requests or many files."""
    if files >= MOST_FILES:
        raise ValueError(f"a dataset has fewer than {MOST_FILES} files")
    return [
        record(
            20_000_001 + 10 * at,
            f"Generated dataset {at}",
            *(table(f"{at:05}/part {number}.csv", size + number) for number in range(files)),
        )
        for at in range(count)
    ]
