"""docs/software/formats.md: it lists the formats that there are, and its example is one of them."""

import re

from indexer.software.formats.extrinsic import EXTRINSIC
from indexer.software.formats.plain import BOWER
from indexer.software.formats.table import FORMATS
from tests.paths import ROOT

TEXT = (ROOT / "docs" / "software" / "formats.md").read_text("utf-8")


def test_the_document_lists_every_format_with_its_files() -> None:
    rows = [line for line in TEXT.splitlines() if line.startswith("| `")]
    listed = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    expected = [
        [
            f"`{form.name}`",
            f"`{form.class_name}`",
            ", ".join(f"`{each}`" for each in form.files),
            form.column.strip(),
            str(form.rank),
        ]
        for form in FORMATS
    ]
    expected += [[f"`{name}`", f"`{form.name}`"] for name, form in EXTRINSIC.items()]
    assert listed == expected


def test_the_example_is_the_table_that_was_added() -> None:
    example = re.search(r"```python\n(.*?)\n```", TEXT, re.DOTALL)
    assert example is not None
    plain = (ROOT / "indexer" / "software" / "formats" / "plain.py").read_text("utf-8")
    assert example[1] in plain
    assert BOWER in FORMATS


def test_names_of_formats_and_classes_are_unique() -> None:
    for names in ([form.name for form in FORMATS], [form.class_name for form in FORMATS]):
        assert len(set(names)) == len(names)
