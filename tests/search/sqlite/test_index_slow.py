"""The embedded index: several processes."""

import subprocess
import sys
from pathlib import Path

from indexer.search import SearchIndex
from indexer.search.language.query import Query
from tests.paths import ROOT


def test_processes_that_start_at_once_share_one_index(index: SearchIndex, path: Path) -> None:
    script = f"""
from indexer.search import Added, open_index
from indexer.stories.indexing.fields import STORY_FIELDS
from tests.search.corpus import story
index = open_index("sqlite:///{path}", STORY_FIELDS)
answers = index.add([story(str(n), "word " * 50) for n in range(40)])
print(sum(answer.added is Added.CREATED for answer in answers))
"""
    root = ROOT
    command = [sys.executable, "-c", script]
    running = [
        subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True) for _ in range(3)
    ]
    assert sum(int(each.communicate()[0]) for each in running) == 40
    assert index.count(Query("word")) == 40
