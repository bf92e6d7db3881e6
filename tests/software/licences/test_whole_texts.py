"""Texts of whole licences, where a manifest should name one."""

from indexer.software.licences.identifiers import IRI, expression
from indexer.software.licences.recognition import licences_of
from indexer.software.licences.whole_texts import _table, identifier_of_text
from tests.each_row import each_row

MIT = """MIT License

Copyright (c) 2020 Jane Roe

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction.

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND.
"""

BSD_2 = """Copyright 2020 Jane Roe. All rights reserved.

Redistribution and use in source and binary forms, with or without
modification, are permitted provided that the following conditions are met:

1. Redistributions of source code must retain the above copyright notice.
2. Redistributions in binary form must reproduce the above copyright notice.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS "AS IS".
"""

BSD_3 = BSD_2.replace(
    "\nTHIS",
    """3. Neither the name of the copyright holder nor the names of its contributors
   may be used to endorse or promote products derived from this software
   without specific prior written permission.

THIS""",
)
BSD_4 = BSD_3.replace(
    "\nTHIS", "4. All advertising materials must display an acknowledgement.\nTHIS"
)

GPL = "GNU GENERAL PUBLIC LICENSE\nVersion 3, 29 June 2007\n" + "Everyone may copy. " * 20


@each_row(
    ("text", "identifier"),
    [
        (MIT, "MIT"),
        (MIT.replace("\n", "\n        "), "MIT"),
        (BSD_2, "BSD-2-Clause"),
        (BSD_3, "BSD-3-Clause"),
        (BSD_4, None),
        (MIT + BSD_3, None),
        (GPL, None),
        (MIT[:200], None),
        (MIT + "a " * 50_000, None),
    ],
)
def test_a_text_of_one_licence_is_recognised(text: str, identifier: str | None) -> None:
    assert identifier_of_text(text) == identifier
    (found,) = licences_of(text)
    assert found.text == (IRI + identifier if identifier else text.strip())


def test_each_row_of_the_table_is_recognised_by_its_own_phrases_and_no_other_row() -> None:
    for identifier, phrases, others in _table():
        assert expression(identifier) == identifier
        assert not [each for each in others if any(each in phrase for phrase in phrases)]
        assert identifier_of_text(" ".join(phrases) + " x" * 150) == identifier
