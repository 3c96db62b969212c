"""`lsprotocol.types`, loaded without compiling a `__repr__` for each of its 554 classes.

attrs writes and compiles the methods of each class when the class is made. A third of that time goes into
`__repr__`, which only logs show; here one function serves all classes and gives the same text. As a patch for
lsprotocol it would be `@attrs.define(repr=False)` and a base class. Nothing else of a class changes.
"""

from __future__ import annotations

import sys
from typing import Any

import attrs


def load() -> None:
    """Load `lsprotocol.types` unless it is loaded. Call it while there is one thread: it replaces `attrs.define`."""
    if "lsprotocol.types" in sys.modules:
        return
    define = attrs.define

    def define_without_repr(cls: type) -> type:
        defined: Any = define(cls, repr=False)
        if defined.__repr__ is object.__repr__:
            defined.__repr__ = attrs_repr
        return defined  # type: ignore[no-any-return]

    attrs.define = define_without_repr  # type: ignore[assignment]
    try:
        import lsprotocol.types  # noqa: F401
    finally:
        attrs.define = define


def attrs_repr(value: Any) -> str:
    """The text that attrs's own `__repr__` gives, for example `Position(line=1, character=2)`."""
    # One object inside itself, which attrs guards against, can't come out of JSON.
    fields = ", ".join(f"{field.name}={getattr(value, field.name)!r}" for field in attrs.fields(type(value)))
    return f"{type(value).__qualname__.rpartition('.')[2]}({fields})"
