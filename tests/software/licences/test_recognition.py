"""Texts where a licence belongs, and the licences that they name."""

from indexer.software.licences.identifiers import IRI, expression, table
from indexer.software.licences.names import reduced
from indexer.software.licences.recognition import licences_of
from tests.each_row import each_row

IDENTIFIERS = {
    # SPDX, with other letters and deprecated identifiers
    "MIT": "MIT",
    " mit ": "MIT",
    "(MIT)": "MIT",
    "GPL-2.0": "GPL-2.0-only",
    "GPL-2.0+": "GPL-2.0-or-later",
    "agpl-3.0+": "AGPL-3.0-or-later",
    "StandardML-NJ": "SMLNJ",
    "(MIT OR Apache-2.0)": "MIT Apache-2.0",
    "mit or (isc or zlib)": "MIT ISC Zlib",
    # Maven, Python, npm, NuGet
    "Apache License, Version 2.0": "Apache-2.0",
    "The Apache Software License, Version 2.0": "Apache-2.0",
    "Apache 2": "Apache-2.0",
    "ASL 2.0": "Apache-2.0",
    "MIT License": "MIT",
    "The MIT License (MIT)": "MIT",
    "MIT/X11": "MIT",
    "MIT (http://opensource.org/licenses/mit-license.php)": "MIT",
    "My licence <https://opensource.org/licenses/ISC>": "ISC",
    "BSD 3-Clause": "BSD-3-Clause",
    'BSD 3-Clause "New" or "Revised" License': "BSD-3-Clause",
    "New BSD": "BSD-3-Clause",
    "3-clause BSD license": "BSD-3-Clause",
    "Simplified BSD": "BSD-2-Clause",
    "GNU GPL v3": "GPL-3.0-only",
    "GNU General Public License (GPL) v3": "GPL-3.0-only",
    "GPLv2 or later": "GPL-2.0-or-later",
    "GPL v2 only": "GPL-2.0-only",
    "GNU LGPL, version 2.1 or (at your option) any later version": "LGPL-2.1-or-later",
    "GNU Affero General Public License v3.0": "AGPL-3.0-only",
    "Eclipse Public License - v 1.0": "EPL-1.0",
    "Eclipse Distribution License - v 1.0": "BSD-3-Clause",
    "Creative Commons Attribution 4.0 International": "CC-BY-4.0",
    "MPL 1.1/GPL 2.0/LGPL 2.1": "MPL-1.1 GPL-2.0-only LGPL-2.1-only",
    "MIT or GPL v2": "MIT GPL-2.0-only",
    # classifiers of Python
    "License :: OSI Approved :: MIT License": "MIT",
    "License :: OSI Approved :: GNU General Public License v3 or later (GPLv3+)": (
        "GPL-3.0-or-later"
    ),
    "License :: OSI Approved :: Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "License :: CC0 1.0 Universal (CC0 1.0) Public Domain Dedication": "CC0-1.0",
    "License :: OSI Approved :: zlib/libpng License": "Zlib",
    # R, Cargo, Debian, CPAN, Cabal
    "GPL (>= 2)": "GPL-2.0-or-later",
    "GPL-2 | GPL-3": "GPL-2.0-only GPL-3.0-only",
    "MIT + file LICENSE": "MIT",
    "BSD_3_clause + file LICENCE": "BSD-3-Clause",
    "MIT/Apache-2.0": "MIT Apache-2.0",
    "GPL-2+": "GPL-2.0-or-later",
    "LGPL-2.1+": "LGPL-2.1-or-later",
    "Expat": "MIT",
    "perl_5": "Artistic-1.0-Perl GPL-1.0-or-later",
    "apache_2_0": "Apache-2.0",
    "mozilla_1_1": "MPL-1.1",
    "BSD3": "BSD-3-Clause",
    "AGPL-3": "AGPL-3.0-only",
    "MPL-2": "MPL-2.0",
    "lgpl_2_1": "LGPL-2.1-only",
    "freebsd": "BSD-2-Clause",
    # pages of licences
    "http://www.apache.org/licenses/LICENSE-2.0.txt": "Apache-2.0",
    "https://www.apache.org/licenses/LICENSE-2.0.html": "Apache-2.0",
    "http://opensource.org/licenses/mit-license.php": "MIT",
    "https://opensource.org/license/bsd-3-clause/": "BSD-3-Clause",
    "https://www.gnu.org/licenses/gpl-3.0.en.html": "GPL-3.0-only",
    "http://www.gnu.org/licenses/old-licenses/lgpl-2.1-standalone.html": "LGPL-2.1-only",
    "https://creativecommons.org/licenses/by-sa/4.0/": "CC-BY-SA-4.0",
    "http://creativecommons.org/licenses/by/3.0/us/legalcode": "CC-BY-3.0-US",
    "https://creativecommons.org/publicdomain/zero/1.0/": "CC0-1.0",
    "https://spdx.org/licenses/MIT.html": "MIT",
    "https://spdx.org/licenses/GPL-2.0": "GPL-2.0-only",
    "https://licenses.nuget.org/Apache-2.0": "Apache-2.0",
}

OTHERS = {
    # expressions that are no choice
    "MIT AND ISC": "MIT AND ISC",
    "GPL-2.0 with classpath-exception-2.0": "GPL-2.0-only WITH Classpath-exception-2.0",
    "MIT OR (ISC AND Zlib)": "MIT OR (ISC AND Zlib)",
    "LicenseRef-Ours": "LicenseRef-Ours",
    "Apache-2.0+": "Apache-2.0+",
    # texts that fit several licences, or none
    **{text: text for text in ("BSD", "GPL", "LGPL", "Apache", "Python", "MIT-like", "MIT, GPL")},
    **{text: text for text in ("UNLICENSED", "proprietary", "NOASSERTION", "NONE", "Unlicensed")},
    **{text: text for text in ("Public Domain", "SEE LICENSE IN LICENSE.md", "file LICENSE")},
    "License :: OSI Approved :: BSD License": "BSD License",
    "Dual licensed under MIT and GPL": "Dual licensed under MIT and GPL",
    "MIT or something": "MIT or something",
    "((MIT AND": "((MIT AND",
}


@each_row(("text", "identifiers"), IDENTIFIERS.items())
def test_a_text_that_names_licences_without_doubt_gives_their_iris(
    text: str, identifiers: str
) -> None:
    found = licences_of(text)
    assert [each.text for each in found] == [IRI + each for each in identifiers.split()]
    assert all(each.is_iri and each.is_known for each in found)


@each_row(("text", "kept"), OTHERS.items())
def test_any_other_text_is_kept_and_never_an_iri(text: str, kept: str) -> None:
    (found,) = licences_of(text)
    assert (found.text, found.is_iri) == (kept, False)


def test_an_expression_is_known_and_another_text_is_not() -> None:
    assert [licences_of(text)[0].is_known for text in ("MIT AND ISC", "BSD")] == [True, False]


def test_an_alternative_that_is_on_no_list_stays_a_text() -> None:
    assert [each.is_iri for each in licences_of("MIT OR LicenseRef-Ours")] == [True, False]


@each_row("url", ["https://a.example/licence", "https://www.gnu.org/licenses/gpl.html"])
def test_a_url_that_stands_for_no_single_licence_is_kept(url: str) -> None:
    (found,) = licences_of(url)
    assert (found.text, found.is_iri) == (url, True)


@each_row("text", ["", "  ", "License :: OSI Approved", "UNKNOWN"])
def test_a_text_that_names_no_licence_gives_none(text: str) -> None:
    assert licences_of(text) == ()


@each_row("name", ["deprecated", "names", "urls"])
def test_each_row_of_a_table_leads_to_an_expression_as_spdx_writes_it(name: str) -> None:
    assert [found for found in table(name).values() if expression(found) != found] == []


def test_no_two_rows_of_names_stand_for_different_licences() -> None:
    meanings: dict[str, set[str]] = {}
    for name, found in table("names").items():
        meanings.setdefault(reduced(name), set()).add(found)
    assert {name: found for name, found in meanings.items() if len(found) > 1} == {}


HOSTILE = ["(" * 100_000, "(" * 500, "<" * 100_000, "MIT OR " * 20_000, "a/" * 90, "or " * 330]


@each_row("text", [*HOSTILE, "MIT and " * 100 + "MIT", "http://" + "(" * 10_000, ">=" * 99])
def test_hostile_texts_are_kept_as_they_are(text: str) -> None:
    assert all(not each.text.startswith(IRI) for each in licences_of(text))
