"""`lsprotocol.types`, loaded without compiling a `__repr__` for each of its 554 classes.

attrs writes and compiles the methods of each class when the class is made. A third of that time goes into
`__repr__`, which only a log ever shows; one that fits all of them says the same. As a patch for lsprotocol it would
be `@attrs.define(repr=False)` and a base class. Nothing else of a class is touched.
"""

from __future__ import annotations

import sys
from typing import Any

import attrs


def load() -> None:
    """Load the protocol's types, unless that has been done. To be called while there is one thread."""
    if "lsprotocol.types" in sys.modules:
        return
    define = attrs.define

    def lean(cls: type) -> type:
        made: Any = define(cls, repr=False)
        if made.__repr__ is object.__repr__:
            made.__repr__ = shown
        return made  # type: ignore[no-any-return]

    attrs.define = lean  # type: ignore[assignment]
    try:
        import lsprotocol.types  # noqa: F401
    finally:
        attrs.define = define


def shown(value: Any) -> str:
    """What attrs would have made `repr` say: `Position(line=1, character=2)`."""
    # One object inside itself, which attrs guards against, can't come out of JSON.
    fields = ", ".join(f"{field.name}={getattr(value, field.name)!r}" for field in attrs.fields(type(value)))
    return f"{type(value).__qualname__.rpartition('.')[2]}({fields})"
