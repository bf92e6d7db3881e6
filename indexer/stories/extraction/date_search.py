"""htmldate, which finds the date of a page, without the library that it needs for other searches.

htmldate imports dateparser, whose import compiles hundreds of patterns: a third of the time in
which the process of the extraction starts. Only an extensive search, as trafilatura makes it where
the extraction is in doubt, uses dateparser; it is imported then.
"""

import sys
from types import ModuleType
from typing import Any


class _DateDataParser:
    """Stands for dateparser's class of this name until a text is parsed."""

    def __init__(self, **given: Any) -> None:
        self._given = given
        self._parser: Any = None

    def get_date_data(self, text: str) -> Any:
        """The answer of dateparser."""
        if self._parser is None:
            # See above.
            import dateparser  # type: ignore[import-untyped]  # noqa: PLC0415

            self._parser = dateparser.DateDataParser(**self._given)
        return self._parser.get_date_data(text)


def _htmldate() -> Any:
    stand_in = ModuleType("dateparser")
    stand_in.DateDataParser = _DateDataParser  # type: ignore[attr-defined] # a module has any
    before = sys.modules.setdefault("dateparser", stand_in)
    import htmldate  # noqa: PLC0415 - it finds the stand-in

    if before is stand_in:
        del sys.modules["dateparser"]
    return htmldate


htmldate = _htmldate()
