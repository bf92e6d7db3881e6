"""dateparser is loaded by the searches that need it."""

import subprocess
import sys

from tests.paths import ROOT

SCRIPT = """
import sys
from indexer.stories.extraction.date_search import htmldate
print("dateparser" in sys.modules)
page = "<html><body><p>Publié le 3 mars 2024 à 17 h</p></body></html>"
print(htmldate.find_date(page, extensive_search=False, original_date=True))
print("dateparser" in sys.modules)
print(htmldate.extractors.external_date_parser("3 mars 2024", "%Y-%m-%d"))
import dateparser
print(dateparser.parse("3 mars 2024").date())
"""


def test_dateparser_is_loaded_when_it_is_asked_for_a_date() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=ROOT, capture_output=True, text=True, check=True
    )
    before, found, meanwhile, asked, itself = done.stdout.split()
    assert (before, meanwhile) == ("False", "False")
    assert (asked, itself) == ("2024-03-03", "2024-03-03")
    assert found in ("2024-03-03", "None")
