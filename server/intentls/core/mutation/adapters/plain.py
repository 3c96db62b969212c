"""Languages whose names are not followed: formatting and comments are told from the rest, nothing else is."""

from __future__ import annotations

import re

from intentls.core.mutation.adapters.base import Adapter

_C = re.compile(r".*(\\\r?\n|@(?!param|return|brief|note|see|since|author|throws|deprecated)\w)", re.DOTALL)
_EXACT = re.compile(r"string|heredoc|regex|char|text|scalar|literal$|preproc_arg")
_SLASHES = frozenset({"comment", "line_comment", "block_comment", "multiline_comment"})

RUST = Adapter(
    "Rust",
    "tree_sitter_rust",
    comments=_SLASHES,
    pragma=re.compile(r"#!"),
    # Doc comments are attributes: these libraries make programs of them. A fence is a test.
    comments_count=re.compile(
        r"clap|structopt|[Ss]chema|graphql|juniper|utoipa|uniffi|pyo3|\bpy(class|function|method)|Parser|//[/!]\s*```"
    ),
    exact=re.compile(r"string_literal$|char_literal|string_content"),
    spaced=frozenset({"token_tree"}),
)
C = Adapter("C", "tree_sitter_c", pragma=_C, exact=_EXACT)
CPP = Adapter("C++", "tree_sitter_cpp", pragma=_C, exact=_EXACT)
CSHARP = Adapter("C#", "tree_sitter_c_sharp", pragma=_C, exact=_EXACT)
KOTLIN = Adapter("Kotlin", "tree_sitter_kotlin", comments=_SLASHES, exact=_EXACT)
SWIFT = Adapter(
    "Swift",
    "tree_sitter_swift",
    comments=_SLASHES,
    pragma=re.compile(r"#!|//\s*swift-tools-version", re.IGNORECASE),
    exact=_EXACT,
)
RUBY = Adapter(
    "Ruby",
    "tree_sitter_ruby",
    pragma=re.compile(r"#!|#.*(coding[:=]|frozen_string_literal|warn_indent|shareable_constant|typed:)"),
    exact=re.compile(r"string|heredoc|regex|char|symbol|subshell|uninterpreted"),
)
PHP = Adapter(
    "PHP",
    "tree_sitter_php",
    "language_php",
    # Annotations in comments configure frameworks.
    pragma=re.compile(r".*@(?!(param|return|var|throws|see|since|author|deprecated|link|license)\b)\w", re.DOTALL),
    exact=re.compile(r"string|heredoc|nowdoc|text|shell"),
)
BASH = Adapter(
    "Bash",
    "tree_sitter_bash",
    pragma=re.compile(r"#!"),
    exact=re.compile(r"string|heredoc|expansion|regex|arithmetic|test"),
)
JSON = Adapter("JSON", "tree_sitter_json", exact=_EXACT)
YAML = Adapter("YAML", "tree_sitter_yaml", pragma=re.compile(r"#!|#cloud-config"), exact=re.compile(r"scalar"))
TOML = Adapter("TOML", "tree_sitter_toml", exact=re.compile(r"string"))
HTML = Adapter(
    "HTML",
    "tree_sitter_html",
    pragma=re.compile(r"<!--\s*(\[|#|/?ko\b|<!)"),
    exact=re.compile(r"text"),
    all_spaced=True,
)
CSS = Adapter(
    "CSS",
    "tree_sitter_css",
    exact=re.compile(r"string|value$|feature_query"),
    comments=frozenset({"comment", "js_comment"}),
)
