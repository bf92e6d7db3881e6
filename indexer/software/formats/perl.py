"""META.json and META.yml: distributions of Perl, in both versions of their specification."""

from dataclasses import replace

from indexer.software.readings.licences import licences
from indexer.software.readings.links import links
from indexer.software.readings.requirements import requirements
from indexer.software.readings.texts import texts
from indexer.software.rules.key_rule import KeyRule, Readings
from indexer.software.rules.manifest_format import ManifestFormat
from indexer.software.rules.property import Diagnostics
from indexer.software.syntax.json_file import read_json
from indexer.software.syntax.tree import Tree, below
from indexer.software.syntax.yaml_file import read_yaml

LICENCES = {
    "perl": "Artistic-1.0-Perl OR GPL-1.0-or-later",
    "apache": "Apache-2.0",
    "bsd": "BSD-3-Clause",
}
"""SPDX expressions of names that only CPAN::Meta::Spec makes unambiguous."""


def licence(value: Tree, place: str, diagnostics: Diagnostics) -> Readings:
    """Yield each licence by its name in CPAN."""
    for text, where in texts(value, place, diagnostics):
        if text not in ("unknown", "restricted", "unrestricted", "open_source"):
            yield from licences(LICENCES.get(str(text), str(text)), where, diagnostics)
        else:
            diagnostics.add(where, "a kind of licence, and no licence", text)


def address(value: Tree, place: str, diagnostics: Diagnostics) -> Readings:
    """Yield the URL of a resource: a text, or the page or the URL of an object."""
    if isinstance(value, dict):
        for key in ("web", "url"):
            if value.get(key):
                yield from links(value[key], below(place, key), diagnostics)
                return
    else:
        yield from links(value, place, diagnostics)


META = ManifestFormat(
    "cpan",
    "CpanMetaMapping",
    ("META.json",),
    read_json,
    column="Perl Module Description (CPAN::Meta)",
    rules=(
        KeyRule("version", "version"),
        KeyRule("author", "author"),
        KeyRule("x_contributors", "contributor"),
        KeyRule("license", "license", licence),
        KeyRule("resources/homepage", "url"),
        KeyRule("resources/license", "license"),
        KeyRule("resources/repository", "codeRepository", address),
        KeyRule("resources/bugtracker", "issueTracker", address),
        *(
            KeyRule(f"prereqs/{phase}/{kind}", term, requirements("cpan"))
            for phase in ("runtime", "configure", "build", "test", "develop")
            for kind in ("requires", "recommends", "suggests")
            for term in (
                "softwareRequirements"
                if (phase, kind) == ("runtime", "requires")
                else "softwareSuggestions",
            )
        ),
        KeyRule("requires", "softwareRequirements", requirements("cpan")),
        KeyRule("build_requires", "softwareSuggestions", requirements("cpan")),
        KeyRule("configure_requires", "softwareSuggestions", requirements("cpan")),
        KeyRule("recommends", "softwareSuggestions", requirements("cpan")),
    ),
    without=frozenset({"prereqs", "resources/repository", "resources/bugtracker"}),
)

META_YML = replace(
    META,
    name="cpan-yaml",
    class_name="CpanMetaYamlMapping",
    files=("META.yml", "META.yaml"),
    read=read_yaml,
)
