"""Links of Python's packages: most name a repository by a label, many only by their homepage."""

from indexer.software.formats.python import PYPROJECT
from indexer.software.formats.table import FORMATS
from indexer.software.translation.translator import translate
from tests.each_row import each_row

METADATA = next(form for form in FORMATS if form.name == "python-metadata")
HOME, OTHER = "https://github.com/velmora/gauge", "https://code.example/velmora/gauge"


@each_row(
    ("links", "repositories"),
    [
        ({"Homepage": HOME}, [HOME]),
        ({"homepage": f"{HOME}/"}, [f"{HOME}/"]),
        ({"Homepage": HOME, "Source": OTHER}, [OTHER]),
        ({"Source Code": OTHER, "Homepage": HOME}, [OTHER]),
        ({"Homepage": f"{HOME}/wiki"}, []),
        ({"Homepage": "https://github.com/velmora"}, []),
        ({"Homepage": "https://velmora.example/gauge"}, []),
        ({"Changelog": HOME}, []),
    ],
)
def test_a_homepage_at_a_forge_is_the_repository_if_no_link_is_labelled_so(
    links: dict[str, str], repositories: list[str]
) -> None:
    lines = "".join(f"Project-URL: {label}, {url}\n" for label, url in links.items())
    rows = "".join(f'"{label}" = "{url}"\n' for label, url in links.items())
    for form, text in (
        (METADATA, f"Metadata-Version: 2.1\nName: gauge\n{lines}"),
        (PYPROJECT, f'[project]\nname = "gauge"\n[project.urls]\n{rows}'),
    ):
        found = translate(text.encode(), form).properties
        assert [each.value for each in found if each.term == "codeRepository"] == repositories
