"""Modules of `mcmetadata` load without its extractors."""

import subprocess
import sys


def test_ids_come_without_the_extractors() -> None:
    heavy = "{'newspaper', 'goose3', 'trafilatura', 'lxml', 'mcmetadata'}"
    code = f"import sys, indexer.news.normalized_urls; print({heavy} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert run.stdout.strip() == "set()"
