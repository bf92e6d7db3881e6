"""Invented projects: what their manifests say of them."""

from typing import NamedTuple


class Person(NamedTuple):
    """A person of a project."""

    given: str
    family: str
    email: str
    orcid: str = ""

    @property
    def name(self) -> str:
        """The whole name."""
        return f"{self.given} {self.family}"

    @property
    def mailbox(self) -> str:
        """Name and e-mail address."""
        return f"{self.name} <{self.email}>"


class Project(NamedTuple):
    """An invented project."""

    name: str
    title: str
    text: str
    version: str
    licence: str
    people: tuple[Person, ...]
    repository: str
    homepage: str
    keywords: tuple[str, ...]
    needs: tuple[tuple[str, str], ...]
    tests: tuple[tuple[str, str], ...]
    date: str

    @property
    def issues(self) -> str:
        """The place of its issues."""
        return f"{self.repository}/issues"


_JANE = Person("Jane", "Roe", "jane@roe.example", "0000-0002-1825-0097")
_LIN = Person("Lin", "Óskarsdóttir", "lin@uni.example")
_AMA = Person("Ama", "Mensah", "ama.mensah@lab.example", "0000-0001-5109-3700")
_PAVEL = Person("Pavel", "Novák", "pavel@novak.example")
_IDA = Person("Ida", "van der Berg", "ida@berg.example")


def _project(
    name: str, title: str, text: str, version: str, licence: str, *people: Person
) -> Project:
    words = title.lower().split()
    return Project(
        name=name,
        title=title,
        text=text,
        version=version,
        licence=licence,
        people=people,
        repository=f"https://github.com/{people[0].family.split()[-1].lower()}-lab/{name}",
        homepage=f"https://{name}.example.org",
        keywords=(words[0], f"{words[-1]} tools"),
        needs=(("tidegauge", "1.4.0"), ("quill", "2.0")),
        tests=(("checkmate", "3.1.2"),),
        date=f"20{10 + len(name)}-0{1 + len(version) % 9}-1{len(words)}",
    )


PROJECTS = (
    _project(
        "marsh",
        "Marsh hydrology",
        "Simulates water in tidal marshes.",
        "1.10.0",
        "MIT",
        _JANE,
    ),
    _project(
        "lichen",
        "Lichen survey kit",
        "Collects and cleans field surveys of lichens.",
        "0.3.1",
        "Apache-2.0",
        _LIN,
        _AMA,
    ),
    _project(
        "ferry",
        "Ferry timetables",
        "Reads timetables: “GTFS” & friends.",
        "2024.1",
        "GPL-3.0-or-later",
        _PAVEL,
    ),
    _project(
        "quartzite",
        "Quartzite store",
        "A small key/value store with snapshots.",
        "3.0.0-beta.2",
        "BSD-3-Clause",
        _AMA,
        _PAVEL,
        _IDA,
    ),
    _project(
        "tern",
        "Tern migration maps",
        "Draws the routes of Arctic terns.",
        "12.4",
        "MPL-2.0",
        _IDA,
        _JANE,
    ),
    _project(
        "brine",
        "Brine chemistry",
        "Solves equilibria of brines.\nFast.",
        "0.0.9",
        "LGPL-2.1-only",
        _AMA,
    ),
    _project(
        "loom",
        "Loom patterns",
        "Weaves patterns for hand looms",
        "5.2.1",
        "ISC",
        _LIN,
        _JANE,
    ),
    _project(
        "hazelnut",
        "Hazelnut parser",
        "Parses small languages, error by error.",
        "1.0",
        "MIT OR Apache-2.0",
        _IDA,
    ),
    _project(
        "glacier",
        "Glacier mass balance",
        "Computes mass balances of glaciers.",
        "7.1.3",
        "EUPL-1.2",
        _PAVEL,
        _LIN,
    ),
    _project(
        "otter",
        "Otter tracker",
        "Tracks otters by camera traps.",
        "0.12.0",
        "AGPL-3.0-only",
        _JANE,
    ),
    _project(
        "copper-wire",
        "Copper wire protocol",
        "Speaks the protocol of old meters.",
        "4.4.4",
        "Unlicense",
        _IDA,
        _AMA,
    ),
    _project(
        "silt",
        "Silt transport",
        "Moves silt through rivers, in parallel.",
        "1.2.3",
        "CC0-1.0",
        _LIN,
        _PAVEL,
        _JANE,
    ),
)
