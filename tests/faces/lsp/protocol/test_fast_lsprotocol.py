"""The protocol's types, loaded the cheap way: in a process of its own, since here they are loaded already."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.support.patience import PATIENCE_S

PROGRAM = """
import sys, json
if sys.argv[1] == "lean":
    from intentls.faces.lsp.protocol import fast_lsprotocol
    fast_lsprotocol.load()
    fast_lsprotocol.load()
import attrs, inspect
from lsprotocol import converters, types
converters.get_converter()  # as a server has one: it resolves what annotations name
def signature(made):
    try: return str(inspect.signature(made))
    except ValueError: return None
def of(made):
    fields = [(field.name, str(field.type), field.kw_only, field.eq) for field in attrs.fields(made)]
    return [fields, signature(made), made.__hash__ is None, made.__eq__ is object.__eq__]
one, two, three = (types.Range(types.Position(1, n), types.Position(2, 3)) for n in (1, 1, 2))
inner = types.Location("file:///a", one)
shown = [repr(one), repr(inner), repr(types.CompletionItem(label="x")), repr(types.ClientCapabilities())]
try: types.Position(-1, 0)
except ValueError as error: refused = str(error)
print(json.dumps({
    "classes": {name: of(made) for name, made in sorted(vars(types).items()) if attrs.has(made)},
    "equal": [one == two, one == three, one != three, types.Position(1, 1) < types.Position(1, 2)],
    "shown": shown, "refused": refused, "made": attrs.define.__module__,
}))
"""


def loaded(way: str) -> dict[str, object]:
    done = subprocess.run([sys.executable, "-c", PROGRAM, way], capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_the_cheap_types_are_the_same() -> None:
    """Fields, signatures, equality, hashes, validators and what `repr` says: as in lsprotocol's own loading."""
    lean, own = loaded("lean"), loaded("own")
    assert len(own["classes"]) > 500  # type: ignore[arg-type]
    assert lean == own
