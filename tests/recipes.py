"""The code blocks of CONTRIBUTING.md."""

import re
from textwrap import dedent

from tests.paths import ROOT

_BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^\1```", re.DOTALL | re.MULTILINE)


def blocks(heading: str) -> list[str]:
    """The code blocks of a section, in order, without their indent in the document."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return [dedent(code) for _, _, code in _BLOCK.findall(section)]


WORKER, STATUS, WORKER_TEST = blocks("Add a worker")
[FLAVOR] = blocks("Add a flavor")
[BLOBSTORE] = blocks("Add a blobstore")
[FIELD] = blocks("Add a field to the index")
