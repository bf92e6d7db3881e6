"""The table of docs/operations/metrics.md, made of what the code declares.

python -m tests.metrics.documentation            writes it into the page
python -m tests.metrics.documentation --print    prints it
"""

import sys
from importlib import import_module
from pathlib import Path

from indexer.metrics import Metric, declared
from indexer.metrics.prometheus import prometheus_name
from tests.paths import ROOT
from tests.sources import sources

PAGE = ROOT / "docs" / "operations" / "metrics.md"
BEGIN = "<!-- table: python -m tests.metrics.documentation -->\n"
END = "<!-- end of the table -->\n"


def all_metrics() -> list[Metric]:
    """Return the metrics that all programs declare."""
    for source in sources():
        if source.name.startswith(("indexer.", "workers.")) and "indexer.metrics" in source.text:
            import_module(source.name)
    return list(declared())


def table(metrics: list[Metric]) -> str:
    """Return a table with one row for each metric."""
    rows = ["| name | kind | labels | what | Prometheus |", "|---|---|---|---|---|"]
    for metric in metrics:
        labels = " ".join(f"`{label}`" for label in metric.labels)
        shown = prometheus_name(metric)
        about = metric.about.replace("|", r"\|")
        rows.append(f"| `{metric.name}` | {metric.kind} | {labels} | {about} | `{shown}` |")
    return "\n".join(rows) + "\n"


def written(page: Path = PAGE) -> str:
    """Return the table in the page."""
    return page.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0].strip("\n") + "\n"


def write(page: Path = PAGE) -> None:
    """Write the table into the page."""
    before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    page.write_text(f"{before}{BEGIN}\n{table(all_metrics())}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    if "--print" in sys.argv:
        print(table(all_metrics()), end="")
    else:
        write()
