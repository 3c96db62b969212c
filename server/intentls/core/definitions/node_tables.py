"""Which nodes of a language are definitions: one small table each, by the names that the grammars give them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from msgspec import Struct, field


class Table(Struct, frozen=True):
    """`kinds`: nodes that define something, and what. Those of `outermost` do so only outside of functions and classes.

    Those of `valued` (with the fields of name and value) do so if their value is one of `values`; an object only at
    the top, where it is what others call a class. `bodied` only with a body. `wrappers` stand around a definition and
    are a part of it, as what is `leading` it and the comments are.
    """

    kinds: Mapping[str, str] = field(default_factory=dict)
    outermost: Mapping[str, str] = field(default_factory=dict)
    valued: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)
    bodied: frozenset[str] = frozenset()
    wrappers: frozenset[str] = frozenset()
    leading: frozenset[str] = frozenset()


_PYTHON = Table(
    kinds={"function_definition": "function", "class_definition": "class"},
    outermost={"assignment": "constant"},
    wrappers=frozenset({"decorated_definition", "expression_statement"}),
)
_JAVASCRIPT = Table(
    kinds={
        "function_declaration": "function",
        "generator_function_declaration": "function",
        "method_definition": "method",
        "class_declaration": "class",
    },
    outermost={"variable_declarator": "constant"},
    valued={
        "variable_declarator": ("name", "value"),
        "assignment_expression": ("left", "right"),
        "field_definition": ("property", "value"),
        "pair": ("key", "value"),
    },
    values={
        "arrow_function": "function",
        "function_expression": "function",
        "generator_function": "function",
        "class": "class",
        "object": "object",
    },
    wrappers=frozenset({"export_statement", "lexical_declaration", "variable_declaration", "expression_statement"}),
)
_TYPESCRIPT = Table(
    kinds={
        **_JAVASCRIPT.kinds,
        "abstract_class_declaration": "class",
        "interface_declaration": "interface",
        "type_alias_declaration": "type",
        "enum_declaration": "enum",
        "internal_module": "namespace",
        "function_signature": "function",
        "abstract_method_signature": "method",
    },
    outermost=_JAVASCRIPT.outermost,
    valued={**_JAVASCRIPT.valued, "public_field_definition": ("name", "value")},
    values=_JAVASCRIPT.values,
    wrappers=_JAVASCRIPT.wrappers | {"ambient_declaration"},
    leading=frozenset({"decorator"}),
)
_GO = Table(
    kinds={
        "function_declaration": "function",
        "method_declaration": "method",
        "type_spec": "type",
        "type_alias": "type",
    },
    outermost={"const_spec": "constant", "var_spec": "constant"},
    wrappers=frozenset({"type_declaration", "const_declaration", "var_declaration"}),
)
_RUST = Table(
    kinds={
        "function_item": "function",
        "function_signature_item": "function",
        "struct_item": "struct",
        "union_item": "struct",
        "enum_item": "enum",
        "trait_item": "trait",
        "impl_item": "impl",
        "mod_item": "namespace",
        "macro_definition": "macro",
    },
    outermost={"type_item": "type", "const_item": "constant", "static_item": "constant"},
    leading=frozenset({"attribute_item"}),
)
_JAVA = Table(
    kinds={
        "class_declaration": "class",
        "record_declaration": "class",
        "interface_declaration": "interface",
        "annotation_type_declaration": "interface",
        "enum_declaration": "enum",
        "method_declaration": "method",
        "constructor_declaration": "method",
        "compact_constructor_declaration": "method",
    },
)
_C = Table(
    kinds={
        "function_definition": "function",
        "struct_specifier": "struct",
        "union_specifier": "struct",
        "enum_specifier": "enum",
        "preproc_function_def": "macro",
        "type_definition": "type",
    },
    outermost={"preproc_def": "constant", "init_declarator": "constant"},
    bodied=frozenset({"struct_specifier", "union_specifier", "enum_specifier", "class_specifier"}),
    wrappers=frozenset({"declaration"}),
)
_CPP = Table(
    kinds={
        **_C.kinds,
        "class_specifier": "class",
        "namespace_definition": "namespace",
        "alias_declaration": "type",
        "concept_definition": "type",
    },
    outermost=_C.outermost,
    bodied=_C.bodied,
    wrappers=frozenset({"declaration", "template_declaration"}),
)
_CSHARP = Table(
    kinds={
        "namespace_declaration": "namespace",
        "class_declaration": "class",
        "record_declaration": "class",
        "struct_declaration": "struct",
        "interface_declaration": "interface",
        "enum_declaration": "enum",
        "delegate_declaration": "type",
        "method_declaration": "method",
        "constructor_declaration": "method",
        "destructor_declaration": "method",
        "operator_declaration": "method",
        "property_declaration": "property",
        "indexer_declaration": "property",
        "local_function_statement": "function",
    },
)
_RUBY = Table(
    kinds={"module": "namespace", "class": "class", "method": "function", "singleton_method": "function"},
    outermost={"assignment": "constant"},
)
_PHP = Table(
    kinds={
        "function_definition": "function",
        "method_declaration": "method",
        "class_declaration": "class",
        "interface_declaration": "interface",
        "trait_declaration": "trait",
        "enum_declaration": "enum",
    },
    outermost={"const_element": "constant"},
    wrappers=frozenset({"const_declaration"}),
)
_KOTLIN = Table(
    kinds={
        "class_declaration": "class",
        "object_declaration": "class",
        "companion_object": "class",
        "function_declaration": "function",
        "type_alias": "type",
    },
    outermost={"property_declaration": "constant"},
)
_SWIFT = Table(
    kinds={
        "class_declaration": "class",
        "protocol_declaration": "interface",
        "function_declaration": "function",
        "protocol_function_declaration": "function",
        "init_declaration": "method",
        "deinit_declaration": "method",
        "subscript_declaration": "method",
        "typealias_declaration": "type",
    },
    outermost={"property_declaration": "constant"},
)
_BASH = Table(
    kinds={"function_definition": "function"},
    outermost={"variable_assignment": "constant"},
    wrappers=frozenset({"declaration_command"}),
)

TABLES: Mapping[str, Table] = MappingProxyType(
    {
        "Python": _PYTHON,
        "JavaScript": _JAVASCRIPT,
        "TypeScript": _TYPESCRIPT,
        "TSX": _TYPESCRIPT,
        "Go": _GO,
        "Rust": _RUST,
        "Java": _JAVA,
        "C": _C,
        "C++": _CPP,
        "C#": _CSHARP,
        "Ruby": _RUBY,
        "PHP": _PHP,
        "Kotlin": _KOTLIN,
        "Swift": _SWIFT,
        "Bash": _BASH,
        "CSS": Table(kinds={"rule_set": "rule"}),
        "TOML": Table(kinds={"table": "table", "table_array_element": "table"}),
        "JSON": Table(outermost={"pair": "key"}),
        "YAML": Table(outermost={"block_mapping_pair": "key"}),
    }
)
"""By the name of the language's adapter."""

HOLDERS = frozenset({"class", "interface", "struct", "enum", "trait", "impl", "object"})
"""What makes a function that is defined in it a method."""

OPEN = frozenset({"namespace"})
"""In these one is still at the top."""
