"""A crowd of connections: which are kept, and which requests are answered."""

from dataclasses import dataclass

from indexer.programs.serving.crowd import may_ask, to_close
from indexer.programs.serving.limits import HEALTH, HEALTH_PLACES, ServingLimits
from tests.each_row import each_row

LIMITS = ServingLimits(connections=4, of_one_client=2)


@dataclass
class Caller:
    """A connection of a client."""

    visitor: str
    waiting_since: float = 0
    is_waiting: bool = True


A, B, C, D = Caller("a", 1), Caller("b", 2), Caller("a", 3), Caller("d", 4)
BUSY = [Caller("a", is_waiting=False), Caller("b", is_waiting=False)]


@each_row(
    ("visitor", "others", "closed"),
    [
        ("e", [], None),
        ("e", [B, A, C], None),
        ("e", [D, B, A, C], A),
        ("e", [D, B, *BUSY], B),
        ("e", [*BUSY, *BUSY], None),
        # A client with too many connections loses one of its own.
        ("a", [B, A], None),
        ("a", [B, A, C], A),
        ("a", [B, C, BUSY[0]], C),
        ("a", [B, D, BUSY[0], BUSY[0]], None),
    ],
)
def test_the_connection_that_waited_longest_makes_room(
    visitor: str, others: list[Caller], closed: Caller | None
) -> None:
    assert to_close(Caller(visitor, 9), others, LIMITS) is closed


@each_row(
    ("visitor", "others", "path", "answered"),
    [
        ("a", [A, B, C, D, A, B], "/", True),
        ("a", [BUSY[0]], "/", True),
        ("a", [BUSY[0], BUSY[0]], "/", False),
        ("b", [BUSY[0], BUSY[0]], "/", True),
        ("c", [*BUSY, *BUSY], "/", False),
        ("c", [*BUSY, *BUSY], HEALTH[0], True),
        ("a", [BUSY[0]] * 3, HEALTH[0], True),
        ("a", [BUSY[0]] * (2 + HEALTH_PLACES), HEALTH[1], False),
    ],
)
def test_requests_are_answered_while_there_are_places(
    visitor: str, others: list[Caller], path: str, answered: bool
) -> None:
    assert may_ask(Caller(visitor), others, path, LIMITS) is answered


def test_behind_a_proxy_one_address_may_have_all_places() -> None:
    behind_proxy = ServingLimits(connections=4, of_one_client=0)
    assert to_close(Caller("a", 9), [A, C, C], behind_proxy) is None
    assert may_ask(Caller("a"), [BUSY[0]] * 3, "/", behind_proxy)
