"""`python -m newsroom.labelled DIR` writes the labelled pages."""

import sys
from pathlib import Path

from newsroom.labelled.pages import write_pages

write_pages(Path(sys.argv[1]))
