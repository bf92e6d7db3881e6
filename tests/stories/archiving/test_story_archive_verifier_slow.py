"""Every changed byte and every truncation of an archive is found."""

import random

from tests.each_row import each_row
from tests.stories.archiving.test_story_archive_verifier import SOUND, STARTS, check


def _matters(position: int) -> bool:
    """Time, flags and system in a gzip header are part of no record, and of no checksum."""
    return position - max(start for start in STARTS if start <= position) not in range(4, 10)


POSITIONS = [each for each in range(len(SOUND)) if _matters(each)]


@each_row("position", random.Random(3).sample(POSITIONS, 200))
def test_any_changed_byte_is_found(position: int) -> None:
    damaged = bytearray(SOUND)
    damaged[position] ^= 0x10
    assert not check(bytes(damaged)).sound


@each_row("cut", [*range(1, 60), 200, 1000, len(SOUND)])
def test_any_truncation_is_found(cut: int) -> None:
    assert (len(SOUND) - cut in STARTS[1::2]) == check(SOUND[:-cut]).sound
