"""The mutants of a module: cosmic-ray's for expressions, and ours for statements that are left out."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

# In annotations, which nothing evaluates, `|` is a union: its mutants are equivalent.
_UNIONS = "ReplaceBinaryOperator_BitOr"
# Decorators and constants are checked by types and by reading: a second more of waiting is no other program.
_SETTLED = re.compile(r"\s*@|_?[A-Z][A-Z_]*\b.* = ")
_REMOVED = (ast.Expr, ast.Raise, ast.Delete, ast.AugAssign)


@dataclass(frozen=True, slots=True)
class Mutant:
    """One wrong version of a module. `line` is from 1; `kind` names what was changed."""

    line: int
    kind: str
    source: str


def sample(source: str, count: int, chance: random.Random) -> list[Mutant]:
    """`count` mutants of a module, or all of them if it has fewer.

    Lines are drawn first and then a mutant of the line, so that a comparison, of which there are many mutants, is not
    drawn more often than a `not`.
    """
    lines = sorted(_sites(source).items())
    chance.shuffle(lines)
    drawn: list[Mutant] = []
    for line, sites in lines:
        if len(drawn) == count:
            break
        mutant = _mutant(source, line, chance.choice(sites))
        if mutant is not None:
            drawn.append(mutant)
    return sorted(drawn, key=lambda mutant: mutant.line)


def _sites(source: str) -> dict[int, list[tuple[str, int]]]:
    """What can be changed, by line: the operator's name, and the number of its place in the module."""
    sites: dict[int, list[tuple[str, int]]] = {}
    for name, occurrence, line in (*_expressions(source), *_statements(source)):
        sites.setdefault(line, []).append((name, occurrence))
    return sites


def _expressions(source: str) -> Iterator[tuple[str, int, int]]:
    nodes = list(ast_nodes(get_ast(source)))
    settled = {line for line, text in enumerate(source.splitlines(), 1) if _SETTLED.match(text)}
    for name in operator_names():
        operator = get_operator(name)
        if operator.arguments() or _UNIONS in name:
            continue
        positions = (start for node in nodes for start, _ in operator().mutation_positions(node))
        for occurrence, (line, _column) in enumerate(positions):
            if line not in settled:
                yield name, occurrence, line


def _statements(source: str) -> Iterator[tuple[str, int, int]]:
    for number, node in enumerate(ast.walk(ast.parse(source))):
        text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant | ast.Yield)
        if isinstance(node, _REMOVED) and not text:
            yield "statement left out", number, node.lineno
        elif isinstance(node, ast.Return) and node.value is not None:
            yield "nothing returned", number, node.lineno


def _mutant(source: str, line: int, site: tuple[str, int]) -> Mutant | None:
    name, occurrence = site
    if "/" in name:
        changed = mutate_code(source, get_operator(name)(), occurrence)
    else:
        changed = _without(source, occurrence, "return None" if name == "nothing returned" else "pass")
    if changed is None or changed == source:
        return None
    try:
        if ast.dump(ast.parse(changed)) == ast.dump(ast.parse(source)):
            return None
    except SyntaxError:
        return None
    return Mutant(line, name.removeprefix("core/"), changed)


def _without(source: str, number: int, instead: str) -> str:
    """The module with one statement replaced."""
    node = next(node for index, node in enumerate(ast.walk(ast.parse(source))) if index == number)
    assert isinstance(node, ast.stmt)
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    lines = [line.encode() for line in source.splitlines(keepends=True)]
    head = lines[node.lineno - 1][: node.col_offset]
    tail = lines[node.end_lineno - 1][node.end_col_offset :]
    lines[node.lineno - 1 : node.end_lineno] = [head + instead.encode() + tail]
    return b"".join(lines).decode()
