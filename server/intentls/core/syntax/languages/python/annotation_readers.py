"""What in a file of Python may read annotations at run time: the names that it has of modules and functions that do."""

from __future__ import annotations

import re

from intentls.core.syntax.languages.python.code_text import without_texts
from intentls.core.syntax.tree import Node, every_node, spelling

_READ = re.compile(
    r"__annotations__|get_type_hints|get_annotations|getfullargspec|singledispatch|typer|fastapi|Depends"
    r"|pydantic|BaseModel|validate_call|strawberry|msgspec|beartype|typeguard|[Ii]nject|cattrs|ctypes|Annotated|hypothesis"
    r"|cyclopts|defopt|\b(fire|plac|clize|punq|svcs|lagom|dishka|numba|cython|mypyc|prefect|dagster|langchain|tool)\b"
    r"|return_annotation|get_overloads|\bannotation\b"
)
_SIGNATURE = re.compile(r"\w*[sS]ignature\w*")


def reads_annotations(root: Node) -> bool:
    """Whether something in the file may read those of a function that it is given."""
    names = "\n".join([_names_in(node) for node in every_node(root) if node.text])
    return _READ.search(names) is not None or _reads_signatures(root)


def _names_in(node: Node) -> str:
    """What a leaf says, but for a text that names no annotations."""
    text = node.text or ""
    if node.kind in ("content", "docstring"):
        return text if "__annotations__" in text else ""
    return without_texts(text)


def _reads_signatures(root: Node) -> bool:
    """Whether a signature is asked for more than its parameters, which say no annotation unless asked (`_READ`)."""
    held: set[str] = set()
    allowed: set[int] = set()
    for node in every_node(root):
        if node.kind == "import_item":
            allowed.update(id(part) for part in node.children)
        elif node.kind == "attribute" and node.children[-1].text == "parameters":
            allowed.update(id(part) for part in _called(node.children[0]))
            allowed.add(id(node.children[0]))
        elif node.kind == "assignment" and len(node.children) == 3 and node.children[0].text is not None:
            parts = _called(node.children[2])
            if parts:
                held.add(node.children[0].text)
                allowed.update(id(part) for part in (node.children[0], *parts))
    return any(
        id(node) not in allowed and (node.text in held or _SIGNATURE.fullmatch(node.text) is not None)
        for node in every_node(root)
        if node.text is not None and node.kind == "identifier" and node.field != "name"
    )


def _called(node: Node) -> list[Node]:
    """The names in `inspect.signature` where a node calls it."""
    is_call = node.kind == "call" and spelling(node.children[0]) in ("signature", "inspect.signature")
    return list(every_node(node.children[0])) if is_call else []
