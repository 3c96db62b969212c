"""`lsprotocol.types`, loaded without compiling a `__repr__` and an `__eq__` for each of its 554 classes.

attrs writes and compiles the methods of each class when the class is made. Over half of that time goes into these
two, of which logs use the one and hardly anything the other; here one function each serves all classes and gives
the same. As a patch for lsprotocol it would be `@attrs.define(repr=False, eq=False)` and a base class. Nothing else
of a class changes.
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

    def define_with_shared_methods(cls: type) -> type:
        defined: Any = define(cls, repr=False, eq=False)
        if defined.__repr__ is object.__repr__:
            defined.__repr__ = attrs_repr
        if defined.__eq__ is object.__eq__:
            defined.__eq__, defined.__hash__ = attrs_eq, None  # it can change, so it has no hash
        return defined  # type: ignore[no-any-return]

    attrs.define = define_with_shared_methods  # type: ignore[assignment]
    try:
        import lsprotocol.types  # noqa: F401
    finally:
        attrs.define = define


def attrs_repr(value: Any) -> str:
    """The text that attrs's own `__repr__` gives, for example `Position(line=1, character=2)`."""
    # One object inside itself, which attrs guards against, can't come out of JSON.
    fields = ", ".join(f"{field.name}={getattr(value, field.name)!r}" for field in attrs.fields(type(value)))
    return f"{type(value).__qualname__.rpartition('.')[2]}({fields})"


def attrs_eq(value: Any, other: Any) -> Any:
    """What attrs's own `__eq__` says: True for the same class and equal fields."""
    if other.__class__ is not value.__class__:
        return NotImplemented
    names = [field.name for field in attrs.fields(type(value))]
    return [getattr(value, name) for name in names] == [getattr(other, name) for name in names]
