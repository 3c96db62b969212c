"""What is wrong with the params of a message, said in one sentence."""

from __future__ import annotations

import re
from typing import Any

from cattrs import transform_error
from cattrs.errors import ClassValidationError

_SHOWN = 3
_STEP = re.compile(r"\.(\w+)|\[(\d+)\]")
_JSON_NAMES = {str: "a string", int: "an integer", float: "a number", bool: "true or false"}
_CAPABILITIES = "$.params.capabilities."


def explain(method: str, error: Exception) -> str:
    """One sentence that names the fields of `method`'s params that LSP does not allow."""
    if not isinstance(error, ClassValidationError):
        return f"The params of {method} do not have the form that LSP gives them."
    troubles = [f"`{_camel(path)[2:]}` {reason}" for reason, path in _troubles(error)]
    more = f" (and {len(troubles) - _SHOWN} more)" if len(troubles) > _SHOWN else ""
    return f"Bad params of {method}: {', '.join(troubles[:_SHOWN])}{more}."


def drop_unreadable_capabilities(message: dict[str, Any], error: Exception) -> list[str]:
    """Takes from an `initialize` message what of the client's capabilities could not be read; says what.

    A client that is newer than lsprotocol may send values that it does not know yet (a symbol kind, say).
    Such a capability is one we don't use, so it must not cost the whole session; one that lacks a part which it
    must have goes as a whole. [] if nothing can be helped.
    """
    if not isinstance(error, ClassValidationError):
        return []
    paths = [path for _, path in _troubles(error)]
    if not all(path.startswith(_CAPABILITIES) for path in paths):
        return []
    dropped: list[str] = []
    # backwards, so that removing an element does not move the ones that are still to be removed
    for path in (_camel(path)[2:] for path in reversed(paths)):
        if not path.startswith(tuple(f"{gone}{inside}" for gone in dropped for inside in ".[")):
            dropped += _remove(message, path)
    return dropped


def _troubles(error: ClassValidationError) -> list[tuple[str, str]]:
    """(reason, path) of everything that is wrong; a path looks like $.params.text_document."""
    lines = transform_error(error, format_exception=_reason)
    return [(reason, path) for reason, _, path in (line.rpartition(" @ ") for line in lines)]


def _reason(error: BaseException, expected: type | None) -> str:
    if isinstance(error, KeyError):
        return "is missing"
    if isinstance(expected, type):
        return f"is not {_JSON_NAMES.get(expected) or f'a valid {expected.__name__}'}"
    return "has a value that LSP does not allow"


def _camel(path: str) -> str:
    return re.sub(r"_([a-z])", lambda found: found[1].upper(), path)


def _remove(message: dict[str, Any], path: str) -> list[str]:
    """Removes the value at a path, or the innermost capability that should have it; the path of what went, if any."""
    while f"$.{path}".startswith(_CAPABILITIES):
        *parents, last = [key or int(index) for key, index in _STEP.findall(f".{path}")]
        value: Any = message
        try:
            for step in parents:
                value = value[step]
            del value[last]
        except (LookupError, TypeError):
            path = path[: max(path.rfind("."), path.rfind("["))]
        else:
            return [path]
    return []
