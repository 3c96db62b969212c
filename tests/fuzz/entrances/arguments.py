"""The one object that a command takes."""

from __future__ import annotations

import msgspec

from intentls.core.errors import InvalidArgument
from intentls.engine.wire import arguments
from intentls.engine.wire.arguments import Arguments
from tests.fuzz.bounded import bounded

KINDS: tuple[type[Arguments], ...] = tuple(
    kind for kind in vars(arguments).values() if isinstance(kind, type) and issubclass(kind, Arguments)
)
NO_JSON = object()


def command(given: object) -> None:
    """Any JSON value is the argument of a command, or is refused with the name of what is wrong in it."""
    for kind in KINDS:
        with bounded(f"reading {kind.__name__}"):
            try:
                wanted = arguments.parse(kind, given)
                since = getattr(wanted, "since", None)
                arguments.moment("since", since)
                arguments.mutation_class(getattr(wanted, "mutation_class", None))
            except InvalidArgument as refusal:
                assert refusal.argument and refusal.reason
                str(refusal).encode("utf-8", "surrogatepass")
                continue
        assert isinstance(wanted, kind)


def decoded(data: bytes) -> object:
    """The JSON value that the bytes are; NO_JSON if they are none."""
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return NO_JSON
