r"""BibTeX: entries that BibTeX and BibLaTeX read, so with `year` and `month` in place of `date`.

Texts are escaped for LaTeX; URLs and DOIs are verbatim fields, which only braces would break.
"""

from collections.abc import Iterator, Sequence

from indexer.software.citing.citation import Citation, CitedAgent, with_keys

_ESCAPES = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        **{character: f"\\{character}" for character in "{}$&#%_"},
    }
)
_VERBATIM = str.maketrans({"{": "%7B", "}": "%7D", "\\": "%5C"})

BOOKS = {"incollection": "booktitle", "inproceedings": "booktitle"}
"""The field for the work that an entry is a part of, by type of entry; else it is `journal`."""


def bibtex(citations: Sequence[Citation]) -> str:
    """Return an entry for each citation; their keys differ."""
    return "\n".join(_entry(each, key) for key, each in with_keys(citations))


def escaped_for_latex(text: str) -> str:
    """Return a text that LaTeX shows as it is."""
    return text.translate(_ESCAPES)


def _entry(citation: Citation, key: str) -> str:
    fields = "".join(f"  {name} = {{{value}}},\n" for name, value in _fields(citation) if value)
    return f"@{citation.type.bibtex}{{{key},\n{fields}}}\n"


def _fields(citation: Citation) -> Iterator[tuple[str, str]]:
    year, _, rest = citation.date.partition("-")
    yield "author", " and ".join(map(_name, citation.authors))
    # The second braces keep the case of the title's letters.
    yield "title", f"{{{escaped_for_latex(citation.title)}}}" if citation.title else ""
    container = BOOKS.get(citation.type.bibtex, "journal")
    yield container, escaped_for_latex(citation.journal)
    yield "version", escaped_for_latex(citation.version)
    yield "year", year
    yield "month", str(int(rest[:2])) if rest else ""
    yield "publisher", escaped_for_latex(citation.publisher)
    yield "doi", citation.doi.translate(_VERBATIM)
    yield "url", citation.url or citation.repository
    yield "license", escaped_for_latex(citation.licence)
    yield "keywords", escaped_for_latex(", ".join(citation.keywords))
    yield "abstract", escaped_for_latex(citation.abstract)


def _name(agent: CitedAgent) -> str:
    """Return a name as BibTeX reads it; braces keep one whole that BibTeX would divide."""
    if agent.family and not agent.is_organisation:
        return ", ".join(_part(part) for part in (agent.family, agent.given) if part)
    if agent.is_organisation:
        return f"{{{escaped_for_latex(agent.name)}}}"
    return _part(agent.name)


def _part(text: str) -> str:
    divided = "," in text or " and " in f" {text.casefold()} "
    return f"{{{escaped_for_latex(text)}}}" if divided else escaped_for_latex(text)
