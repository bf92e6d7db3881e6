"""Tables of rows in one test: quicker than a test for each row; all rows that fail are shown."""

import functools
import inspect
from collections.abc import Callable, Collection, Sequence
from typing import Any, TypeAlias

import pytest

Test: TypeAlias = Callable[..., None]


def each_row(names: str | Sequence[str], rows: Collection[Any]) -> Callable[[Test], Test]:
    """Call a test with the values of each row, as `pytest.mark.parametrize` does, but in one test.

    The rows share their fixtures: a row must not leave anything behind that changes another one.
    """
    wanted = [names] if isinstance(names, str) else [*names]

    def decorate(test: Test) -> Test:
        signature = inspect.signature(test)
        others = [each for each in signature.parameters.values() if each.name not in wanted]

        @functools.wraps(test)
        def of_all_rows(**fixtures: Any) -> None:
            assert rows, "no rows"
            failures: list[BaseException] = []
            for row in rows:
                values = (row,) if isinstance(names, str) else row
                try:
                    test(**fixtures, **dict(zip(wanted, values, strict=True)))
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - raised below, all together
                    error.add_note(f"row: {row!r:.500}")
                    failures.append(error)
            if failures:
                raise BaseExceptionGroup(f"{len(failures)} of {len(rows)} rows fail", failures)

        # Without this pytest would look for fixtures of the names of the columns.
        of_all_rows.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return of_all_rows

    return decorate
