"""Names of files: any case of letters, endings anchored (spec 4)."""

import pytest

from indexer.software.formats.file_names import FileNames
from indexer.software.rules.manifest_format import ManifestFormat
from indexer.software.syntax.json_file import read_json

NPM = ManifestFormat("npm", "NpmMapping", ("package.json",), read_json)
GEM = ManifestFormat("gemspec", "GemspecMapping", ("*.gemspec",), read_json)
OTHER = ManifestFormat("other", "OtherMapping", ("package.json", "*.spec"), read_json)
NAMES = FileNames((NPM, GEM, OTHER))


@pytest.mark.parametrize(
    ("name", "formats"),
    [
        ("package.json", ["npm", "other"]),
        ("PACKAGE.JSON", ["npm", "other"]),
        ("Package.Json", ["npm", "other"]),
        ("a.gemspec", ["gemspec"]),
        ("A.GEMSPEC", ["gemspec"]),
        ("a.b.gemspec", ["gemspec"]),
        ("a.spec", ["other"]),
        ("a.gemspec.erb", []),
        ("a.gemspec~", []),
        (".gemspec", []),
        ("x.spec.bak", []),
        ("package.json5", []),
        ("my-package.json", []),
        ("", []),
    ],
)
def test_the_formats_of_a_name(name: str, formats: list[str]) -> None:
    assert [form.name for form in NAMES.formats_of(name)] == formats
