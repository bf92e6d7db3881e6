"""What a program loads when it starts."""

import subprocess
import sys
from collections.abc import Iterable

from tests.each_row import each_row
from tests.paths import ROOT
from tests.sources import sources
from tests.test_architecture import BACKENDS, within


def test_a_program_loads_no_backend_until_a_url_chooses_it() -> None:
    modules = [
        "indexer.programs.app",
        *(source.name for source in sources() if within(source, "workers")),
    ]
    assert loaded(modules, BACKENDS) == set()


@each_row(
    ("module", "needless"),
    [
        *(
            (f"workers.stories.{name}", ("_mcmetadata", "furl", "requests", "tldextract"))
            for name in ("rss_queuer", "tqfetcher", "parser", "importer", "archiver")
        ),
        ("workers.stories.parser", ("fastwarc", "sqlite3", "urllib3")),
        ("workers.stories.importer", ("fastwarc", "urllib3")),
        ("indexer.search", ("regex",)),
        ("indexer.stories.extraction.extraction", ("dateparser", "pydantic", "trafilatura")),
    ],
)
def test_a_program_loads_no_library_that_few_stories_need(
    module: str, needless: tuple[str, ...]
) -> None:
    assert loaded([module], needless) == set()


def loaded(modules: Iterable[str], names: Iterable[str]) -> set[str]:
    """Those of the names that are loaded with the modules."""
    script = "import sys\n" + "".join(f"import {name}\n" for name in modules)
    script += f"print(*({set(names)} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())
