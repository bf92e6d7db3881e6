"""Any query of a schema with numbers, lists and truth values has an answer, or is a mistake."""

from contextlib import closing, suppress
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indexer.errors import QueryError
from indexer.search import open_index
from indexer.search.language.query import Query
from indexer.search.language.schema import Sort
from tests.search.schemas import DATASETS
from tests.search.test_schemas import MISTAKES, QUERIES, SETS

TERMS = st.sampled_from([query for query, _ in (*QUERIES, *MISTAKES)])
JOINED = st.lists(TERMS, min_size=1, max_size=4)
SORTS = st.lists(st.builds(Sort, st.sampled_from(DATASETS.names), st.booleans()), max_size=2)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None
)
@given(st.sampled_from([" ", " OR ", " AND -", " NOT (", ") OR ("]), JOINED, SORTS)
def test_a_query_has_as_many_hits_as_it_counts(
    tmp_path: Path, operator: str, terms: list[str], sort: list[Sort]
) -> None:
    query = Query(operator.join(terms), sort=sort)
    with closing(open_index(f"sqlite:///{tmp_path}/index.sqlite3", DATASETS)) as index:
        index.add(SETS)
        with suppress(QueryError):
            assert len(list(index.search(query))) == index.count(query)
