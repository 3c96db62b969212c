"""What a Java method says that it throws, where that tells no one anything."""

from __future__ import annotations

from collections.abc import Iterator

from intentls.core.syntax.tree import Node, every_node, spelling

# What no one has to catch, of `java.lang`.
_UNCHECKED = frozenset(
    {
        *("ArithmeticException", "ArrayIndexOutOfBoundsException", "ArrayStoreException", "AssertionError"),
        *("ClassCastException", "Error", "IllegalArgumentException", "IllegalMonitorStateException"),
        *("IllegalStateException", "IndexOutOfBoundsException", "NegativeArraySizeException", "NullPointerException"),
        *("NumberFormatException", "OutOfMemoryError", "RuntimeException", "SecurityException", "StackOverflowError"),
        *("StringIndexOutOfBoundsException", "UnsupportedOperationException"),
    }
)
# What an `IOException` is as well, and where it comes from.
_INPUT = {
    **dict.fromkeys(("EOFException", "FileNotFoundException", "UnsupportedEncodingException"), "java.io"),
    **dict.fromkeys(("MalformedURLException", "UnknownHostException"), "java.net"),
}
_HIDDEN_BODIES = frozenset({"object_creation_expression", "enum_constant"})
_LOCAL = frozenset({"block", "constructor_body", "switch_block_statement_group"})
_CLASSES = frozenset({"class_declaration", "enum_declaration", "record_declaration", "interface_declaration"})


def without_needless_throws(root: Node) -> None:
    """A `Rewrite`: no `throws` of methods that only their file sees, of what no one has to catch, or of what is said.

    A method of a class without a name, of a local one, or of a private one that no other class extends, is called
    there alone, or by what it overrides; and both versions compile.
    """
    own = {name.text for node in every_node(root) if node.kind in _CLASSES for name in node.children if name.text}
    extended = {leaf.text for node in every_node(root) if node.field == "superclass" for leaf in every_node(node)}
    imported = dict(_imports(root))
    stack = [(root, False)]
    while stack:
        node, is_hidden = stack.pop()
        for child in node.children:
            stack.append((child, is_hidden or _is_hidden(child, node, extended)))
            listed = next((part for part in child.children if part.kind == "throws" and part.children), None)
            if listed is None:
                continue
            has_body = child.child("body") is not None and child.kind == "method_declaration"
            thrown = [] if is_hidden and has_body and node.kind == "class_body" else listed.children[1::2]
            thrown = [kind for kind in thrown if kind.text not in _UNCHECKED or kind.text in own | imported.keys()]
            if any(kind.text == "IOException" and _is_from("IOException", "java.io", imported) for kind in thrown):
                thrown = [kind for kind in thrown if not _is_input(kind.text or "", imported)]
            _say(child, listed, thrown)


def _imports(root: Node) -> Iterator[tuple[str, str]]:
    """The package of each imported name; that of all its names stands after `import`."""
    for child in root.children:
        if child.kind == "import_item":
            yield child.children[-1].text or "", (child.children[0].text or "").removeprefix("import ")


def _is_from(name: str, package: str, imported: dict[str, str]) -> bool:
    return imported.get(name, package if f"import {package}" in imported else "") == package


def _is_input(name: str, imported: dict[str, str]) -> bool:
    return name in _INPUT and _is_from(name, _INPUT[name], imported)


def _is_hidden(child: Node, parent: Node, extended: set[str | None]) -> bool:
    """Whether no one else can name the class that a body or a declaration is."""
    if child.kind == "class_body":
        return parent.kind in _HIDDEN_BODIES
    if child.kind != "class_declaration":
        return False
    name = child.child("name")
    words = next((spelling(part) for part in child.children if part.kind == "modifiers"), "")
    is_private = "private" in words and name is not None and name.text not in extended
    return is_private or parent.kind in _LOCAL


def _say(method: Node, listed: Node, thrown: list[Node]) -> None:
    """What is thrown, in one order."""
    kinds = {spelling(kind): kind for kind in thrown}
    listed.children = [listed.children[0], *(kinds[name] for name in sorted(kinds))]
    if not kinds:
        method.children = [child for child in method.children if child is not listed]
