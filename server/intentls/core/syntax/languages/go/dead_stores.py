"""Go: values that a local variable is given and that nothing reads before it gets another one, or the function ends.

    if quoted {                          if quoted {
        quoted = false                       return token()
        return token()                   }
    }

Of the variables that no function in the function says, whose address is not taken, and that are no results. What is
called for the value is still called.
"""

from __future__ import annotations

from collections.abc import Iterator

from intentls.core.syntax.languages.go.local_names import is_literal
from intentls.core.syntax.tree import Node, Role, every_node

_GONE = "\0gone"
_HOLDERS = frozenset({"block", "expression_case", "default_case", "type_case"})
_FUNCTIONS = frozenset({"function_declaration", "method_declaration"})
_THROUGH = frozenset({"if_statement", "expression_switch_statement", "type_switch_statement"})
_LOOPS = frozenset({"for_statement", "select_statement", "labeled_statement"})
_JUMPS = frozenset({"break_statement", "continue_statement", "goto_statement", "fallthrough_statement"})


def without_dead_stores(root: Node) -> None:
    """A `Rewrite`: take such assignments away, or give what is called for them to `_`."""
    for function in root.children:
        if function.kind in _FUNCTIONS and function.children:
            nodes = list(every_node(function))
            kept = set(_kept(function, nodes))
            local = {leaf.text or "" for leaf in nodes if leaf.binds and leaf.text is not None} - kept - {"_"}
            if not any(node.kind in ("labeled_statement", "goto_statement") for node in nodes):
                _clean(function, local)
                for node in nodes:
                    if node.kind in _HOLDERS:
                        node.children = [child for child in node.children if child.kind != _GONE]
                        _sink(node)


def _kept(function: Node, nodes: list[Node]) -> Iterator[str]:
    """The names that something else than the statements of the function may read: results, closures, addresses."""
    for part in ("result", "receiver"):
        listed = function.child(part)
        yield from (leaf.text or "" for leaf in (every_node(listed) if listed is not None else ()) if leaf.binds)
    for node in nodes:
        if node.kind == "func_literal" or (node.kind == "unary_expression" and node.children[0].text == "&"):
            yield from (leaf.text or "" for leaf in every_node(node) if leaf.role is Role.NAME)
        elif node.kind in ("selector_expression", "slice_expression", "index_expression", "type_spec"):
            first = node.children[0]
            yield from (first.text or "",) if node.kind != "index_expression" and first.text else ()


def _clean(function: Node, local: set[str]) -> None:
    body = function.child("body")
    at = next((number for number, child in enumerate(function.children) if child is body), 0)
    stack: list[tuple[Node, tuple[tuple[Node, int], ...]]] = [] if body is None else [(body, ((function, at),))]
    while stack:
        holder, around = stack.pop()
        for index in range(len(holder.children) - 1, -1, -1):
            statement = holder.children[index]
            here = (*around, (holder, index))
            if statement.kind == "assignment_statement" and _is_dead(statement, here, local):
                _drop(holder, index)
            else:
                stack.extend((inner, where) for inner, where in _blocks_in(statement, here))


def _blocks_in(
    statement: Node, here: tuple[tuple[Node, int], ...]
) -> Iterator[tuple[Node, tuple[tuple[Node, int], ...]]]:
    """The blocks in a statement, each with what follows it; after a round of a loop there may be another one."""
    stack = [(statement, here)]
    while stack:
        node, around = stack.pop()
        for child in node.children:
            if child.kind in _HOLDERS:
                yield child, around
            elif child.kind in _THROUGH or child.kind in _LOOPS:
                stack.append((child, around))
        if node.kind in _LOOPS:
            return


def _is_dead(statement: Node, here: tuple[tuple[Node, int], ...], local: set[str]) -> bool:
    """Whether one name is given a value that is not read."""
    names = [leaf for leaf in statement.children[0].children if leaf.text != ","]
    named = [leaf.text or "" for leaf in names if leaf.text != "_"]
    is_plain = statement.children[1].text == "=" and all(leaf.kind == "identifier" for leaf in names)
    if not is_plain or len(named) != 1 or named[0] not in local:
        return False
    return _is_in_sight(named[0], here) and _is_unread(named[0], here)


def _is_in_sight(name: str, here: tuple[tuple[Node, int], ...]) -> bool:
    """Whether a statement before it, or a parameter, declares the name; else it may be one of the package."""
    before = [child for holder, index in here for child in holder.children[:index]]
    declared = (
        child for child in before if child.kind in ("short_var_declaration", "var_declaration", "parameter_list")
    )
    return any(leaf.binds and leaf.text == name for child in declared for leaf in every_node(child))


def _is_unread(name: str, here: tuple[tuple[Node, int], ...]) -> bool:
    for holder, index in reversed(here):
        statement = holder.children[index]
        if statement.kind in _LOOPS:
            return False
        for following in holder.children[index + 1 :]:
            if any(node.kind in _JUMPS for node in every_node(following)):
                return False
            said = sum(leaf.text == name for leaf in every_node(following))
            if _overwrites(following, name) and said == 1:
                return True
            if said:
                return False
            if following.kind == "return_statement":
                return True
    return True


def _overwrites(statement: Node, name: str) -> bool:
    """Whether a statement gives the name another value, whatever happens, and says it in no other place."""
    if statement.kind != "assignment_statement" or statement.children[1].text != "=":
        return False
    return any(leaf.text == name for leaf in statement.children[0].children)


def _drop(holder: Node, index: int) -> None:
    statement = holder.children[index]
    values = statement.children[2].children
    if len(values) == 1 and values[0].kind == "call_expression":
        for leaf in statement.children[0].children:
            leaf.text = "," if leaf.text == "," else "_"
            leaf.binds = False
        values[0].field = None
        holder.children[index] = Node("expression_statement", None, statement.row, children=[values[0]])
    elif len(values) == 1 and (is_literal(values[0]) or values[0].kind == "identifier"):
        holder.children[index] = Node(_GONE, None, statement.row, "")  # the others keep their places meanwhile


def _sink(holder: Node) -> None:
    """Declare a variable with a constant, or with none, right before the statement that says it first."""
    for index in range(len(holder.children) - 2, -1, -1):
        statement = holder.children[index]
        name = _idle_name(statement)
        if name is None:
            continue
        words = {leaf.text for leaf in every_node(statement) if leaf.role is Role.NAME}
        at = index
        while at + 1 < len(holder.children) and not _says(holder.children[at + 1], name, words):
            at += 1
        if index < at < len(holder.children) - 1 and holder.children[at].kind not in ("{", "}", ":"):
            holder.children.insert(at, holder.children.pop(index))


def _idle_name(statement: Node) -> str | None:
    """The name that a statement declares, if to compute its value does nothing."""
    if statement.kind == "var_declaration" and len(statement.children) == 2:
        spec = statement.children[1]
        names = [child for child in spec.children if child.field == "name"]
        value = spec.child("value")
    elif statement.kind == "short_var_declaration":
        names, value = statement.children[0].children, statement.children[2]
    else:
        return None
    values = [] if value is None else value.children
    is_idle = len(names) == 1 and len(values) < 2 and all(map(is_literal, values))
    return names[0].text if is_idle else None


def _says(statement: Node, name: str, words: set[str | None]) -> bool:
    """Whether a statement has the name, or declares what the declaration has."""
    leaves = list(every_node(statement))
    is_type = any(leaf.kind == "type_declaration" for leaf in leaves)
    return any(leaf.text == name or (leaf.text in words and (leaf.binds or is_type)) for leaf in leaves)
