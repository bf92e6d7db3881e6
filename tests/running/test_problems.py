"""The failures that programs of a run report."""

from indexer.running.problems import AGAIN_SECONDS, MOST, Problems, ProgramProblem
from tests.clock import Clock


def test_a_problem_is_told_once_and_again_after_an_hour(clock: Clock) -> None:
    problems = Problems(clock)
    for _ in range(3):
        problems.add("archiver", "upload failed")
    assert problems.new() == [ProgramProblem("archiver", "upload failed")]
    problems.add("archiver", "upload failed")
    assert problems.new() == []
    clock.sleep(AGAIN_SECONDS + 1)
    problems.add("archiver", "upload failed")
    assert len(problems.new()) == 1


def test_a_program_with_many_problems_is_told_of_a_limited_number(clock: Clock) -> None:
    problems = Problems(clock)
    for number in range(100):
        problems.add("fetcher", f"problem {number}")
    problems.add("parser", "another")
    told = problems.new()
    assert len(told) == MOST + 2
    assert told[-2].text == "more problems: its log has them"


def test_ends_of_programs_are_counted_with_the_last_reason() -> None:
    problems = Problems()
    problems.add_end("parser", "killed by SIGSEGV")
    for why in ("refused", "away"):
        problems.add_end("archiver", why)
    assert problems.ends == {
        "parser": "killed by SIGSEGV",
        "archiver": "2 times, the last: away",
    }
