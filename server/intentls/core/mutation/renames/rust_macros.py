"""Macros and attributes of Rust that may know the names in them."""

from __future__ import annotations

import re
from itertools import pairwise, takewhile

from intentls.core.mutation.names.tree_names import Place
from intentls.core.syntax.languages.adapter import kinds
from intentls.core.syntax.tree import spelling

# Attributes of Rust that do nothing with the names of what they stand before, or show them to people who debug.
_NAMELESS = re.compile(
    r"#\[(derive\(((Debug|Clone|Copy|PartialEq|Eq|PartialOrd|Ord|Hash|Default),?)*\)|inline(\(\w+\))?|must_use"
    r"|(allow|warn|expect|deny|cfg)\([^\]]*\)|cold|non_exhaustive|doc\([^\]]*\))\]\Z"
)
# Macros that do with names what a function does with values.
OPEN = kinds(
    "print println eprint eprintln format write writeln panic vec matches format_args try assert assert_eq assert_ne"
    " debug_assert debug_assert_eq debug_assert_ne unreachable todo unimplemented"
)


def is_in_macro(place: Place, *, is_written_out: bool) -> bool:
    """Whether a macro of Rust may know the name: one that writes it into other crates (`quote! { a }`, but not `#a`).

    In a file that is written out (serde), that may be any but those of the standard library.
    """
    above = [*place.above, place.leaf]
    for macro, inner in pairwise(above):
        if macro.kind == "macro_invocation" and inner.kind == "token_tree":
            name = spelling(macro.children[0])
            siblings = place.holder().children
            index = next(number for number, child in enumerate(siblings) if child is place.leaf)
            is_taken = "quote" in name and siblings[index - 1].text == "#"
            if name == "stringify" or (not is_taken and ("quote" in name or (is_written_out and name not in OPEN))):
                return True
    return False


def is_plain(place: Place) -> bool:
    """Whether no attribute of Rust that may know the names in it stands before anything that a name is in."""
    for around, inner in pairwise(place.above):
        index = next(number for number, child in enumerate(around.children) if child is inner)
        before = takewhile(lambda child: child.kind == "attribute_item", reversed(around.children[:index]))
        if not all(_NAMELESS.match("".join(spelling(attribute).split())) for attribute in before):
            return False
    return True
