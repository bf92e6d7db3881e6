"""newsroom/repositories/files.py: the hashes of the large file."""

from newsroom.repositories.content import HASHES, Content
from newsroom.repositories.files import big


def test_the_known_hashes_of_the_large_file_are_right() -> None:
    content = big("film.bin").content
    fresh = Content(content.block, content.size)
    assert {name: fresh.hash(name) for name in HASHES} == {
        name: content.hash(name) for name in HASHES
    }
