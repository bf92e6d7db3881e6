"""Formats of plain keys: tables, and no code. `docs/software/formats.md` shows how to add one."""

from indexer.software.readings.identifiers import identifiers
from indexer.software.readings.links import links
from indexer.software.readings.people import organizations
from indexer.software.readings.requirements import requirements
from indexer.software.readings.texts import keywords
from indexer.software.rules.key_rule import KeyRule
from indexer.software.rules.manifest_format import ManifestFormat
from indexer.software.syntax.json_file import read_json, read_json_with_remarks
from indexer.software.syntax.toml_file import read_toml
from indexer.software.syntax.yaml_file import read_yaml

COMPOSER = ManifestFormat(
    "composer",
    "ComposerMapping",
    ("composer.json",),
    read_json,
    rules=(
        KeyRule("name", "name"),
        KeyRule("description", "description"),
        KeyRule("version", "version"),
        KeyRule("keywords", "keywords"),
        KeyRule("homepage", "url"),
        KeyRule("license", "license"),
        KeyRule("authors", "author"),
        KeyRule("time", "datePublished"),
        KeyRule("type", "applicationSubCategory"),
        KeyRule("support/source", "codeRepository"),
        KeyRule("support/issues", "issueTracker"),
        KeyRule("support/docs", "relatedLink"),
        KeyRule("funding/url", "funding"),
        KeyRule("require", "softwareRequirements", requirements("composer")),
        KeyRule("require-dev", "softwareSuggestions", requirements("composer")),
    ),
)

PUBSPEC = ManifestFormat(
    "pubspec",
    "PubMapping",
    ("pubspec.yaml", "pubspec.yml"),
    read_yaml,
    column="Pubspec",
    rules=(
        KeyRule("topics", "keywords"),
        KeyRule("documentation", "relatedLink"),
        KeyRule("funding", "funding"),
        KeyRule("platforms", "runtimePlatform"),
        KeyRule("environment", "runtimePlatform"),
        KeyRule("dependencies", "softwareRequirements", requirements("pub")),
        KeyRule("dev_dependencies", "softwareSuggestions", requirements("pub")),
    ),
)

JULIA = ManifestFormat(
    "julia",
    "JuliaMapping",
    ("Project.toml", "JuliaProject.toml"),
    read_toml,
    column=" Julia Project.toml",
    rules=(
        KeyRule("version", "version"),
        KeyRule("uuid", "identifier", identifiers),
        KeyRule("authors", "author"),
        KeyRule("license", "license"),
        KeyRule("desc", "description"),
        KeyRule("description", "description"),
        KeyRule("keywords", "keywords"),
        KeyRule("url", "codeRepository"),
        KeyRule("repo", "codeRepository"),
        KeyRule("homepage", "url"),
        KeyRule("deps", "softwareRequirements"),
        KeyRule("weakdeps", "softwareSuggestions"),
    ),
)

BOWER = ManifestFormat(
    "bower",
    "BowerMapping",
    ("bower.json",),
    read_json,
    rules=(
        KeyRule("name", "name"),
        KeyRule("description", "description"),
        KeyRule("version", "version"),
        KeyRule("keywords", "keywords"),
        KeyRule("homepage", "url"),
        KeyRule("license", "license"),
        KeyRule("licenses", "license"),
        KeyRule("author", "author"),
        KeyRule("authors", "author"),
        KeyRule("repository", "codeRepository"),
        KeyRule("dependencies", "softwareRequirements", requirements("bower")),
        KeyRule("devDependencies", "softwareSuggestions", requirements("bower")),
    ),
)

DENO = ManifestFormat(
    "deno",
    "DenoMapping",
    ("deno.json", "deno.jsonc", "jsr.json", "jsr.jsonc"),
    read_json_with_remarks,
    rules=(
        KeyRule("name", "name"),
        KeyRule("description", "description"),
        KeyRule("version", "version"),
        KeyRule("license", "license"),
        KeyRule("author", "author"),
        KeyRule("repository", "codeRepository"),
        KeyRule("imports", "softwareRequirements"),
    ),
)

PUBLICCODE = ManifestFormat(
    "publiccode",
    "PubliccodeMapping",
    ("publiccode.yml", "publiccode.yaml"),
    read_yaml,
    rules=(
        KeyRule("name", "name"),
        KeyRule("url", "codeRepository"),
        KeyRule("landingURL", "url"),
        KeyRule("softwareVersion", "version"),
        KeyRule("releaseDate", "datePublished"),
        KeyRule("developmentStatus", "developmentStatus"),
        KeyRule("platforms", "operatingSystem"),
        KeyRule("categories", "applicationCategory"),
        KeyRule("applicationSuite", "isPartOf"),
        KeyRule("isBasedOn", "schema:isBasedOn", links),
        KeyRule("description/*/shortDescription", "description"),
        KeyRule("description/*/longDescription", "description"),
        KeyRule("description/*/documentation", "relatedLink"),
        KeyRule("description/*/features", "schema:featureList"),
        KeyRule("legal/license", "license"),
        KeyRule("legal/mainCopyrightOwner", "copyrightHolder", organizations),
        KeyRule("legal/repoOwner", "producer"),
        KeyRule("maintenance/contacts", "maintainer"),
        KeyRule("maintenance/contractors", "maintainer"),
        KeyRule("dependsOn/*", "softwareRequirements"),
        KeyRule("fundedBy", "funder"),
        KeyRule("roadmap", "relatedLink"),
        KeyRule("localisation/availableLanguages", "schema:inLanguage"),
        KeyRule("inputTypes", "schema:encodingFormat", keywords),
    ),
)
