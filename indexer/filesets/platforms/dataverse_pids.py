"""Persistent identifiers of Dataverse: scheme:authority/[shoulder/]dataset[/file] (spec 4.2)."""

import re
from typing import Final

from indexer.filesets.platforms.references import Kind

DATABASE_ID: Final = "id:"
"""The scheme under which we write the number of a dataset or of a file in the site's database."""

_PID = re.compile(r"(doi|hdl|perma):([^/\s]+)/(\S+)", re.IGNORECASE)
_RESOLVERS = (("https://doi.org/", "doi:"), ("https://hdl.handle.net/", "hdl:"))
_SIX = 6


def normal_pid(text: str) -> str:
    """The PID with its scheme in lower case; "" without a known scheme, authority and id."""
    for url, scheme in _RESOLVERS:
        text = re.sub(
            f"^{url}", scheme, text.strip().replace("http://", "https://"), flags=re.IGNORECASE
        )
    found = _PID.fullmatch(text)
    return f"{found[1].lower()}:{found[2]}/{found[3]}" if found else ""


def kind_of_pid(pid: str) -> Kind | None:
    """Whether a PID is that of a dataset or of a file by the usual grammar; None if unknown.

    scheme:authority/[shoulder/]dataset/file: ids have 6 characters, a shoulder has not.
    """
    segments = pid.split("/")[1:]
    if len(segments) > 1 and len(segments[0]) != _SIX:
        segments = segments[1:]
    if not 1 <= len(segments) <= 2 or any(len(each) != _SIX for each in segments):
        return None
    return Kind.DATASET if len(segments) == 1 else Kind.FILE


def dataset_of_file(pid: str) -> str:
    """The PID of the dataset of a file, by the usual grammar; "" if that doesn't tell."""
    return pid.rpartition("/")[0] if kind_of_pid(pid) is Kind.FILE else ""


def upper_pid(pid: str) -> str:
    """The PID in upper case, as sites store it; catalogues have DOIs in lower case."""
    scheme, _, rest = pid.partition(":")
    return pid if f"{scheme}:" == DATABASE_ID else f"{scheme}:{rest.upper()}"
