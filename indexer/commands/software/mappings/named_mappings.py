"""The mappings of a profile by their names: which terms they yield, and what they say of a file."""

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from indexer.errors import ConfigurationError, InputError
from indexer.software.compat import table as compat
from indexer.software.formats.extrinsic import EXTRINSIC
from indexer.software.formats.table import FORMATS
from indexer.software.metadata_dictionary import mappings
from indexer.software.rules.manifest_format import ManifestFormat
from indexer.software.translation.document import document
from indexer.software.translation.translator import MAX_BYTES, terms, translate
from indexer.software.vocabulary import contexts

JSONDocument: TypeAlias = dict[str, Any]


class NamedMapping(NamedTuple):
    """A mapping: its class name, the IRIs of its terms, and its translation of a file."""

    class_name: str
    terms: Collection[str]
    translate: Callable[[bytes], JSONDocument | None]


def named_mappings(profile: str) -> dict[str, NamedMapping]:
    """Return the mappings of the profile `full` or `compat`, and those of the seed's contract."""
    own = {
        each.name: NamedMapping(class_name, each.supported_terms(), each().translate)
        for class_name, each in mappings().items()
    }
    return dict(_compat() if profile == "compat" else _full()) | own


def mapping_named(name: str, profile: str) -> NamedMapping:
    """Return the mapping of a mapping name or a class name. Raises ConfigurationError."""
    known = named_mappings(profile)
    found = known.get(name) or next((m for m in known.values() if m.class_name == name), None)
    if found is None:
        raise ConfigurationError(f"no mapping {name}; known are {', '.join(sorted(known))}")
    return found


def terms_of(
    known: Mapping[str, NamedMapping], excluded: Collection[str] = ()
) -> dict[str, list[str]]:
    """Return the names of the mappings that yield each term, in alphabetical order.

    Raises ConfigurationError for an excluded mapping that isn't known.
    """
    if wrong := sorted({*excluded} - {*known}):
        raise ConfigurationError(f"no mapping {wrong[0]}; known are {', '.join(sorted(known))}")
    found: dict[str, list[str]] = {}
    for name in sorted({*known} - {*excluded}):
        for term in known[name].terms:
            found.setdefault(term, []).append(name)
    return dict(sorted(found.items()))


def bytes_of(path: Path) -> bytes:
    """Return the bytes of a file, not many more than a mapping takes. Raises InputError."""
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputError(f"can't read {path}: {error.strerror}") from error


def _compat() -> Iterator[tuple[str, NamedMapping]]:
    for each in compat.MAPPINGS:
        translation = partial(compat.translate, mapping=each)
        yield each.name, NamedMapping(each.class_name, each.yields, translation)


def _full() -> Iterator[tuple[str, NamedMapping]]:
    for form in (*FORMATS, *EXTRINSIC.values()):
        iris = [_iri(term) for term in terms(form)]
        yield form.name, NamedMapping(form.class_name, iris, partial(_translated, form=form))


def _iri(term: str) -> str:
    known = contexts.terms("3.0").get(term)
    return contexts.iri_of(known.name if known else term)


def _translated(content: bytes, form: ManifestFormat) -> JSONDocument | None:
    return document(translate(content, form).properties) or None
