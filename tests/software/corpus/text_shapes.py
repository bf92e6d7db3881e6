"""Shapes of manifests in headers, Ruby and Cabal: how tools and people write them."""

from tests.software.corpus.projects import Project
from tests.software.corpus.shape import (
    ALL,
    AUTHOR,
    CLASSIFIERS,
    LICENCE,
    NEEDS,
    REPOSITORY,
    VERSION,
    Shape,
)

_CREATOR = ', "cre"'


def _headers(p: Project) -> str:
    classifier = CLASSIFIERS.get(p.licence)
    licence = f"License: {p.licence}\n" if not classifier else "License: UNKNOWN\n"
    return f"""Metadata-Version: 1.1
Name: {p.name}
Version: {p.version}
Summary: {" ".join(p.text.split())}
Home-page: {p.homepage}
Author: {", ".join(each.name for each in p.people)}
Author-email: {", ".join(each.email for each in p.people)}
{licence}Description: {p.title}
        {"=" * len(p.title)}
{" " * 8}
        {" ".join(p.text.split())}
{" " * 8}
Keywords: {",".join(p.keywords)}
Platform: UNKNOWN
{f"Classifier: {classifier}" if classifier else "Classifier: Natural Language :: English"}
Classifier: Programming Language :: Python :: 2.7
Classifier: Operating System :: OS Independent
"""


def _new_headers(p: Project) -> str:
    needs = "\n".join(f"Requires-Dist: {name} (>={version})" for name, version in p.needs)
    return f"""Metadata-Version: 2.4
Name: {p.name}
Version: {p.version}
Summary: {p.title}
Author-email: {", ".join(each.mailbox for each in p.people)}
Maintainer: {p.people[-1].name}
License-Expression: {p.licence}
License-File: LICENSE
Project-URL: Homepage, {p.homepage}
Project-URL: Repository, {p.repository}
Project-URL: Issues, {p.issues}
Keywords: {p.keywords[0]} science
Classifier: Development Status :: 5 - Production/Stable
Requires-Python: >=3.9
Description-Content-Type: text/markdown
{needs}
Provides-Extra: test
Requires-Dist: {p.tests[0][0]}; extra == "test"

# {p.title}

{p.text}
"""


def _gemspec(p: Project) -> str:
    people = ", ".join(f'"{each.name}"' for each in p.people)
    emails = ", ".join(f'"{each.email}"' for each in p.people)
    return f"""# frozen_string_literal: true

require_relative "lib/{p.name}/version"

Gem::Specification.new do |spec|
  spec.name = "{p.name}"
  spec.version = "{p.version}"
  spec.authors = [{people}]
  spec.email = [{emails}]

  spec.summary = "{p.title}"
  spec.description = <<~TEXT
    {" ".join(p.text.split())}
  TEXT
  spec.homepage = "{p.homepage}"
  spec.license = "{p.licence}"
  spec.required_ruby_version = ">= 3.0"

  spec.metadata["homepage_uri"] = spec.homepage
  spec.metadata["source_code_uri"] = "{p.repository}"
  spec.metadata["changelog_uri"] = "#{{spec.homepage}}/changes"

  spec.files = Dir.chdir(__dir__) do
    `git ls-files -z`.split("\\x0").reject {{ |f| f.match(%r{{^(test|spec)/}}) }}
  end
  spec.require_paths = ["lib"]

  spec.add_dependency "rack", "~> 3.0", ">= 3.0.1"
  spec.add_development_dependency "rake"
end
"""


def _old_gemspec(p: Project) -> str:
    return f"""# -*- encoding: utf-8 -*-
VERSION = '{p.version}'
Gem::Specification.new('{p.name}', VERSION) do |s|
  s.author, s.platform = 'ignored', Gem::Platform::RUBY
  s.authors     = %w[{p.people[0].given} {p.people[0].family.split()[-1]}]
  s.email       = '{p.people[0].email}'
  s.homepage    = '{p.repository}'
  s.licenses    = %w[{p.licence.replace(" OR ", " ")}]
  s.summary     = %q{{{p.title}}}
  s.description = "{p.title} " +
                  "of examples"
  s.files       = `git ls-files`.split("\\n")

  if s.respond_to? :specification_version then
    s.add_runtime_dependency(%q<builder>.freeze, [">= 2.1.2"])
  end
end
"""


def _yaml_gemspec(p: Project) -> str:
    return f"""--- !ruby/object:Gem::Specification
name: {p.name}
version: !ruby/object:Gem::Version
  version: {p.version}
platform: ruby
authors:
- {p.people[0].name}
date: {p.date} 00:00:00 Z
dependencies: []
email: {p.people[0].email}
homepage: {p.homepage}
licenses:
- {p.licence}
summary: {p.title}
"""


def _description(p: Project) -> str:
    people = ",\n    ".join(
        f'person("{each.given}", "{each.family}", email = "{each.email}",\n'
        f'           role = c("aut"{_CREATOR if each is p.people[0] else ""})'
        + (f',\n           comment = c(ORCID = "{each.orcid}"))' if each.orcid else ")")
        for each in p.people
    )
    return f"""Package: {p.name.replace("-", ".")}
Type: Package
Title: {p.title}
Version: {p.version}
Authors@R: c(
    {people},
    person("Example University", role = "cph"))
Description: {p.text.replace(chr(10), chr(10) + "    ")}
    See the vignettes.
License: {"MIT + file LICENSE" if p.licence == "MIT" else "GPL (>= 2) | file LICENCE"}
URL: {p.homepage},
    {p.repository}
BugReports: {p.issues}
Encoding: UTF-8
Depends: R (>= 4.0), methods
Imports:
    dplyr (>= 1.0.0),
    rlang
Suggests: testthat (>= 3.0)
SystemRequirements: GNU make
RoxygenNote: 7.2.3
"""


def _old_description(p: Project) -> str:
    others = "".join(f", {each.name} [ctb]" for each in p.people[1:])
    return f"""Package: {p.name.replace("-", "")}
Version: {p.version}
Date: {p.date}
Title: {p.title}
Author: {p.people[0].name} [aut, cre]{others}
Maintainer: {p.people[0].mailbox}
Depends: R (>= 2.10)
Description: {" ".join(p.text.split())}
License: GPL-3
"""


def _cabal(p: Project) -> str:
    return f"""cabal-version:      2.4
name:               {p.name}
version:            {p.version}
synopsis:           {p.title}
description:
  {" ".join(p.text.split())}
  .
  More text: with a colon.
license:            {"BSD3" if p.licence == "BSD-3-Clause" else p.licence}
license-file:       LICENSE
author:             {p.people[0].name}
maintainer:         {p.people[0].email}
homepage:           {p.homepage}
bug-reports:        {p.issues}
category:           Data, Science
build-type:         Simple
extra-source-files: README.md
-- a remark

source-repository head
  type:     git
  location: {p.repository}

library
  exposed-modules:  Data.Example
  build-depends:    base >=4.9 && <5
                  , text
  if os(windows)
    build-depends:  Win32
  default-language: Haskell2010

test-suite spec
  type:          exitcode-stdio-1.0
  main-is:       Spec.hs
  build-depends: base, hspec >= 2
"""


def _control(p: Project) -> str:
    return f"""Source: {p.name}
Section: science
Priority: optional
Maintainer: Debian Examples Team <team@lists.example>
Uploaders: {p.people[0].mailbox}
Build-Depends: debhelper-compat (= 13),
               cmake (>= 3.20),
               libquill-dev | libquill2-dev
Standards-Version: 4.6.2
Homepage: {p.homepage}
Vcs-Browser: https://salsa.example/{p.name}
Vcs-Git: https://salsa.example/{p.name}.git -b debian/main
Rules-Requires-Root: no

Package: {p.name}
Architecture: any
Depends: ${{misc:Depends}}, ${{shlibs:Depends}}, python3
Suggests: {p.name}-doc
Description: {p.title}
 {" ".join(p.text.split())}
 .
 A second paragraph.
"""


TEXT_SHAPES = (
    Shape("pkg-info", (LICENCE, AUTHOR, VERSION), _headers),
    Shape("pkg-info", ALL, _new_headers),
    Shape("python-metadata", ALL, _new_headers),
    Shape("gemspec", ALL, _gemspec),
    Shape("gemspec", ALL, _old_gemspec),
    Shape("gemspec", (LICENCE, AUTHOR, VERSION), _yaml_gemspec),
    Shape("r-description", ALL, _description),
    Shape("r-description", (LICENCE, AUTHOR, VERSION), _old_description),
    Shape("cabal", ALL, _cabal),
    Shape("debian-control", (REPOSITORY, NEEDS), _control),
)
"""The shapes of formats in headers, Ruby and Cabal."""
