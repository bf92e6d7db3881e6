"""Gemspecs: the shapes that authors and tools write, without running any code."""

import pytest

from indexer.errors import UnreadableManifest
from indexer.software.syntax.ruby.gemspec import read_gemspec
from tests.each_row import each_row

START = "Gem::Specification.new do |s|\n"


def read(body: str) -> object:
    """The attributes of a gemspec with this body."""
    return read_gemspec(f"{START}{body}\nend\n".encode())


@each_row(
    "text",
    [
        "Gem::Specification.new do |spec|\n  spec.name = 'x'\nend",
        "Gem::Specification.new { |s| s.name = 'x' }",
        "Gem::Specification.new() do |s| s.name = 'x' end",
        "Gem::Specification.new('x') do |s|\nend",
        "Gem::Specification.new 'x' do |s|\nend",
        "spec = Gem::Specification.new\nspec.name = 'x'",
        "GEM = 'x'\nGem::Specification.new GEM do |s|\nend",
        "module A\n  NAME = 'x'\nend\nGem::Specification.new { |s| s.name = A::NAME }",
        "Jeweler::Tasks.new do |gem|\n  gem.name = 'x'\nend",
        "--- !ruby/object:Gem::Specification\nname: x",
        "# -*- encoding: utf-8 -*-\n=begin\n'\n=end\nGem::Specification.new{|s|\n s.name=%q(x)}",
        "Gem::Specification.new do |s|\n s.name = 'y'; s.name = 'x'\nend\n__END__\ns.name = 'z'",
    ],
)
def test_every_shape_of_a_specification_is_found(text: str) -> None:
    assert read_gemspec(text.encode()) == {"name": "x"}


@each_row(
    ("expression", "value"),
    [
        ("'it\\'s'.freeze", "it's"),
        ('"a\\tb" \\\n "c"', "a\tbc"),
        ("%q{a {b} c}", "a {b} c"),
        ("%w[a b\n c]", ["a", "b", "c"]),
        ("['a', # remark\n 'b',\n]", ["a", "b"]),
        ("'a', 'b'", ["a", "b"]),
        ("<<-EOS\n  two\n  lines\n  EOS", "  two\n  lines\n"),
        ("<<~EOS.gsub(/\\s+/, ' ').strip\n  two\n  lines\nEOS", "two lines"),
        ("['a', 'b'].join(', ')", "a, b"),
        ("Gem::Version.new('1.0')", "1.0"),
        ("s.other = 'x'", "x"),
        ('"#{s.name}/x"', "known/x"),
        ('"#{Foo.bar}/x"', "#{Foo.bar}/x"),
        ("'#{s.name}'", "#{s.name}"),
        ("'x' if RUBY_VERSION > '2'", "x"),
        ("'a' + s.name", "aknown"),
        ("{ 'k' => 'v', k2: 'v2' }", {"k": "v", "k2": "v2"}),
        (":sym", "sym"),
        ('"\\u00e9"', "é"),
    ],
)
def test_a_value_that_is_written_out_is_read(expression: str, value: object) -> None:
    found = read(f"s.name = 'known'\ns.value = {expression}")
    assert isinstance(found, dict)
    assert found["value"] == value


@each_row(
    "expression",
    ["File.read('VERSION')", "a ? 'b' : 'c'", "`git ls-files`", "x", "'a'.gsub(/b/, 'c')", "[x]"],
)
def test_a_value_that_only_the_code_knows_is_named(expression: str) -> None:
    assert read(f"s.value = {expression}") == {"#unknown": ["value"]}


def test_metadata_is_assigned_by_key_or_as_a_whole() -> None:
    assert read("s.metadata = {'a' => 'b'}\ns.metadata['c'] = \"d\"") == {
        "metadata": {"a": "b", "c": "d"}
    }


def test_dependencies_are_calls_with_or_without_brackets() -> None:
    calls = "s.add_dependency 'a', '~> 1'\ns.add_development_dependency(%q<b>.freeze, ['> 1'])"
    assert read(calls) == {
        "dependencies": [
            {"name": "a", "version": ["~> 1"], "type": "runtime"},
            {"name": "b", "version": [["> 1"]], "type": "development"},
        ]
    }


def test_regular_expressions_and_quotes_in_them_are_skipped() -> None:
    assert read("s.files = Dir['*'].reject { |f| f =~ /'/ }\ns.name = 'x'") == {
        "#unknown": ["files"],
        "name": "x",
    }


@each_row("text", ["", "puts 'x'", "'", "%q(", "<<EOS", "x" * 200_001])
def test_a_text_without_a_specification_is_refused(text: str) -> None:
    with pytest.raises(UnreadableManifest):
        read_gemspec(text.encode())


def test_texts_that_hold_each_other_do_not_double_without_end() -> None:
    found = read("a = 'xx'\n" + 'a = "#{a}#{a}"\n' * 1000 + "s.value = a")
    assert isinstance(found, dict)
    assert len(str(found["value"])) <= 100_000


def test_deep_brackets_are_unknown() -> None:
    assert read("s.value = " + "[" * 5000) == {"#unknown": ["value"]}
