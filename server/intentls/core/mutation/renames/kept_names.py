"""Old names of C that a rename keeps for those who still use them.

    int tree_size(int a) { .. }         int tree_count(int a) { .. }
                                        #define tree_size(a) tree_count(a)

    or a function of the old name:      int tree_size(int a) { return tree_count(a); }

Who calls `tree_count` now does what `tree_size` did, whoever else still calls that.
"""

from __future__ import annotations

from itertools import pairwise

from intentls.core.syntax.languages.c.functions import CLOSES, OPENS, chunks, is_function
from intentls.core.syntax.languages.c.macros import macro_of
from intentls.core.syntax.languages.c.spans import NAME, Lexemes, closing


def without_kept(tokens: Lexemes, old: str, new: str) -> Lexemes:
    """The tokens without what only says that the old name stands for the new one."""
    if old not in tokens or "##" in tokens:
        return tokens
    return tuple(token for chunk in chunks(tokens) if not _is_kept(chunk, old, new) for token in chunk)


def _is_kept(chunk: Lexemes, old: str, new: str) -> bool:
    if old not in chunk:
        return False
    if chunk[0] == "\n#":
        macro = macro_of(chunk)
        return macro is not None and macro.name == old and _is_call(macro.body, new, macro.parameters)
    start = next((index for index, pair in enumerate(pairwise(chunk)) if pair == (old, "(")), None)
    if start is None or chunk.count(old) > 1 or not all(NAME.match(token) or token in "*()" for token in chunk[:start]):
        return False
    if not is_function(chunk):  # a prototype
        return chunk[-2:] == (")", ";") and not {"=", "{"} & {*chunk}
    body = chunk.index("{")
    inner = chunk[body + 1 : -1]
    called = inner[inner[:1] == ("return",) : -1]
    return inner[-1:] == (";",) and _is_call(called, new, _parameters(chunk[start + 1 : body]))


def _is_call(tokens: Lexemes, name: str, given: tuple[str, ...] | None) -> bool:
    """Whether it is the name, called with all that is given, in order; just the name if nothing can be given."""
    if given is None:
        return tokens == (name,)
    if tokens[:2] != (name, "(") or closing(tokens, 1) != len(tokens) - 1:
        return False
    inner = " ".join(token for token in tokens[2:-1] if token not in ("(", ")"))
    return inner == " , ".join(given)


def _parameters(bracket: Lexemes) -> tuple[str, ...]:
    """The names of the parameters between the brackets of a function; none of them if one can't be told."""
    names: list[str] = []
    depth = 0
    for token, following in pairwise(bracket):
        depth += (token in OPENS) - (token in CLOSES)
        if depth == 1 and following in (",", ")") and token not in ("(", "void"):
            names.append(token)
    return tuple(names)
