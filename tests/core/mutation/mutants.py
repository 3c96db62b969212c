"""Behaviour mutants of real sources: small changes that change what a program does, each made from the text alone.

Nothing here uses what it measures: a crude lexer of its own finds the tokens, and for Python the standard library's
`ast` tells that a mutant parses and is another program (docstrings aside).
"""

from __future__ import annotations

import ast
import random
import re
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType

_OPERATORS = {
    **{"+": "-", "-": "+", "*": "+", "/": "*", "%": "*", "<": "<=", ">": ">=", "<=": "<", ">=": ">", "==": "!="},
    **{"!=": "==", "&&": "||", "||": "&&", "+=": "-=", "-=": "+=", "&": "|", "|": "&", "<<": ">>", ">>": "<<"},
    **{"===": "!==", "!==": "==="},
}
_WORDS = {
    **{"and": "or", "or": "and", "True": "False", "False": "True", "true": "false", "false": "true", "min": "max"},
    **{"break": "continue", "continue": "break", "is": "in", "in": "is", "not": "", "await": "", "None": "0"},
    **{"null": "0", "self": "cls", "this": "that", "any": "all", "all": "any"},
}
_PYTHON = re.compile(
    r"""(?P<comment>\#[^\n]*)
    |(?P<string>[rRbBuUfF]{0,2}(?:'''(?:\\.|[^\\])*?'''|\"\"\"(?:\\.|[^\\])*?\"\"\"|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"))
    |(?P<number>\b\d[\w.]*)|(?P<name>[^\W\d]\w*)|(?P<operator>[-+*/%<>=!&|]+|[^\s\w])""",
    re.VERBOSE | re.DOTALL,
)
_BRACES = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
    |(?P<string>'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)
    |(?P<number>\b\d[\w.]*)|(?P<name>[^\W\d]\w*)|(?P<operator>[-+*/%<>=!&|]+|[^\s\w])""",
    re.VERBOSE | re.DOTALL,
)
_JAVA_MODIFIER = re.compile(r"\b(?:private|final)\b")
_LOCAL_TYPE = re.compile(r"^( +(?:const|let) \w+): [\w\[\]]+", re.MULTILINE)
_TEST = re.compile(r"@(?:Test|Before|After|Parameterized)")
_THROWS = re.compile(r"^([ \t]*(?:public|protected) [^;{}=@]*\))\s+throws [\w., \n]+(?=\{)", re.MULTILINE)
KINDS = (
    "operator",
    "constant",
    "arguments",
    "name",
    "one occurrence",
    "deletion",
    "word",
    "branch",
    "string",
    "signature",
)


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change of `before` that changes what it does. `kind` is one of `KINDS`."""

    kind: str
    before: str
    after: str


def mutants(source: str, chance: random.Random, most: int, language: str) -> Iterator[Mutant]:
    """Up to `most` mutants of a source in this language (a suffix: `py`, `ts`), of kinds taken in turn."""
    tokens = list((_PYTHON if language == "py" else _BRACES).finditer(source))
    original = _meaning(source) if language == "py" else None
    if not tokens or (language == "py" and original is None):
        return
    made = 0
    for attempt in range(most * 8):
        kind = KINDS[attempt % len(KINDS)]
        after = _mutated(kind, source, tokens, chance)
        if after is None or "".join(after.split()) == "".join(source.split()):
            continue
        if language == "py" and (_meaning(after) in (None, original) or _renames_a_local(source, after)):
            continue
        if language == "py" and kind == "deletion" and _drops_an_unused_import(source, after):
            continue
        if language in ("js", "ts") and _without_local_types(after) == _without_local_types(source):
            continue
        if language == "java" and _without_modifiers(after) == _without_modifiers(source):
            continue
        yield Mutant(kind, source, after)
        made += 1
        if made == most:
            return


def _mutated(kind: str, source: str, tokens: list[re.Match[str]], chance: random.Random) -> str | None:
    if kind == "signature":
        return _without_a_throws(source, chance)
    at = chance.randrange(len(tokens))
    token = next((t for t in tokens[at:] if _fits(kind, t, tokens)), None)
    if token is None:
        return None
    start, end, text = token.start(), token.end(), token[0]
    if kind == "deletion":
        start = source.rfind("\n", 0, start) + 1
        end = source.find("\n", end) + 1 or len(source)
        line = source[start:end]
        indent = line[: len(line) - len(line.lstrip())]
        return f"{source[:start]}{indent}{'pass' if source.count(';') < 9 else ';'}\n{source[end:]}"
    if kind == "arguments":
        found = re.compile(r"\(([\w.]+), ([\w.]+)(?=[,)])").search(source, start)
        if found is None or found[1] == found[2]:
            return None
        return f"{source[: found.start()]}({found[2]}, {found[1]}{source[found.end() :]}"
    return f"{source[:start]}{_other(kind, text, tokens, chance)}{source[end:]}"


def _without_a_throws(source: str, chance: random.Random) -> str | None:
    """Java whose callers and heirs are told something else: a method of its own interface without its `throws`."""
    found = [each for each in _THROWS.finditer(source) if not _TEST.search(source[: each.start()][-200:])]
    if not found:
        return None
    one = chance.choice(found)
    return f"{source[: one.start()]}{one[1]} {source[one.end() :]}"


def _fits(kind: str, token: re.Match[str], tokens: list[re.Match[str]]) -> bool:
    text = token[0]
    if kind == "operator":
        return text in _OPERATORS
    if kind == "constant":
        return token.lastgroup == "number" and text.isdigit()
    if kind == "word":
        return text in _WORDS
    if kind == "branch":
        return text in ("if", "while")
    if kind == "string":
        return token.lastgroup == "string" and len(text) > 4
    if kind in ("name", "one occurrence"):
        return token.lastgroup == "name" and len(text) > 1
    return token.lastgroup != "comment"


def _other(kind: str, text: str, tokens: list[re.Match[str]], chance: random.Random) -> str:
    if kind == "operator":
        return _OPERATORS[text]
    if kind == "constant":
        return str(int(text) + 1)
    if kind == "word":
        return _WORDS[text]
    if kind == "branch":
        return f"{text} not" if "(" not in text else text
    if kind == "string":
        at = chance.randrange(3, len(text) - 1)
        return f"{text[:at]}~{text[at:]}" if text[at - 1] != "\\" else f"{text[: at - 2]}~{text[at - 2 :]}"
    if kind == "one occurrence":
        return f"{text}_x"
    names = [other[0] for other in chance.sample(tokens, min(9, len(tokens))) if other.lastgroup == "name"]
    # `var` of a value that is given once is a `const`.
    return next((name for name in names if name != text and not {name, text} <= _DECLARING), f"{text}x")


def _without_local_types(source: str) -> str:
    """TypeScript without the types of local variables, and `const` for `let`: a compiler writes no other program."""
    return re.sub(r"\blet\b", "const", _LOCAL_TYPE.sub(r"\1", source))


_JAVA_IDLE = re.compile(r"^\s*(super\(\))?;$", re.MULTILINE)


def _without_modifiers(source: str) -> str:
    """Java without what only its compiler reads, and without empty statements: where both compile, they do the same."""
    return "".join(_JAVA_IDLE.sub("", _JAVA_MODIFIER.sub("", source)).split())


def _drops_an_unused_import(before: str, after: str) -> bool:
    """Whether an import of a name that stands nowhere else gave way to `pass`, as linters want it."""
    gone = set(_imports(before)) - set(_imports(after))
    words = Counter(re.findall(r"\w+", before))
    return bool(gone) and all(words[name] == 1 for name in gone)


def _imports(source: str) -> Iterator[str]:
    """The names that plain `import name` statements of the module bind."""
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Import):
            yield from (alias.name for alias in statement.names if alias.asname is None)


_DECLARING = frozenset({"var", "let", "const"})


def _renames_a_local(before: str, after: str) -> bool:
    """Whether the two compile to the same but for names of locals: one that is never read occurs once."""
    with warnings.catch_warnings(action="ignore"):
        try:
            return _compiled(compile(before, "", "exec")) == _compiled(compile(after, "", "exec"))
        except (SyntaxError, ValueError):
            return False


def _compiled(code: CodeType) -> tuple[object, ...]:
    constants = tuple(_compiled(each) if isinstance(each, CodeType) else repr(each) for each in code.co_consts)
    # A call may name them; that of a private function would stand in this file.
    is_private = code.co_name.startswith("_") and not code.co_name.endswith("__")
    parameters = () if is_private else code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return code.co_code, code.co_names, code.co_freevars, code.co_cellvars, parameters, constants


def _meaning(source: str) -> str | None:
    """The program without its docstrings, each list of imports in one order; None if it does not parse."""
    try:
        with warnings.catch_warnings(action="ignore"):  # a mutant's odd escapes
            tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            node.names.sort(key=ast.dump)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if ast.get_docstring(node, clean=False) is not None:
                node.body = node.body[1:]
            node.body = [child for child in node.body if not isinstance(child, ast.Pass)]
    return ast.dump(tree)
