"""`lsprotocol.types`, whose 554 classes attrs makes when they are first used: a session uses a sixth of them.

attrs writes and compiles the methods of a class when the class is made, which for all of them takes most of the time
that a server needs to start. Here each class is left as it is written, with a stand-in for `__init__` and one for
`__attrs_attrs__`, where attrs keeps the fields. The first of these that is used lets attrs do its work, in place; so
objects have no slots. `__repr__` and `__eq__` are one function each for all classes, and give what attrs's give.

Worked example: `attrs.fields(Position)` reads `Position.__attrs_attrs__`, which is a `_LateFields`; it gives `Position`
to `attrs.define`, which puts the fields and the real `__init__` into their places, and returns the fields.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from threading import RLock
from typing import Any

import attrs
import cattrs  # noqa: F401  which lsprotocol loads, too, and which is made of classes of attrs itself

_completing = RLock()
_plain: set[type] = set()
"""The classes that attrs has not made yet."""
_names: dict[str, Any] = {}
"""What the annotations of fields may name."""


def load() -> None:
    """Load `lsprotocol.types` unless it is loaded. Call it while there is one thread: it replaces `attrs.define`."""
    if "lsprotocol.types" in sys.modules:
        return
    define = attrs.define
    attrs.define = _left_plain  # type: ignore[assignment]
    try:
        from lsprotocol import _hooks, types  # made while `attrs.define` is replaced
    finally:
        attrs.define = define
    _names.update(types.ALL_TYPES_MAP)
    _hooks._resolved_forward_references = True  # each class's are resolved with it, and not all of them at once


class _LateFields:
    """Stands where attrs keeps a class's fields."""

    def __init__(self, cls: Any) -> None:
        self._cls = cls

    def __get__(self, instance: object, owner: type) -> Any:
        _complete(self._cls)
        fields = self._cls.__dict__["__attrs_attrs__"]
        if fields is self:
            raise AttributeError("__attrs_attrs__")  # attrs asks while it makes the class
        return fields


def _left_plain(cls: Any) -> Any:
    cls.__init__ = _late_init(cls)
    cls.__attrs_attrs__ = _LateFields(cls)
    if cls.__repr__ is object.__repr__:
        cls.__repr__ = attrs_repr
    if cls.__eq__ is object.__eq__:
        cls.__eq__, cls.__hash__ = attrs_eq, None  # it can change, so it has no hash
    _plain.add(cls)
    return cls


def _late_init(cls: Any) -> Callable[..., None]:
    def __init__(self: Any, *arguments: Any, **named: Any) -> None:  # noqa: N807
        _complete(cls)
        cls.__init__(self, *arguments, **named)

    return __init__


def _complete(cls: Any) -> None:
    """Let attrs make a class, unless it has."""
    with _completing:  # of two threads that make the first object, one waits
        if cls in _plain:
            _plain.remove(cls)
            attrs.define(cls, init=True, repr=False, eq=False, slots=False, auto_detect=False)
            attrs.resolve_types(cls, _names, {})


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
