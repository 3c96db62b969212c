"""A search of a repository costs tens of milliseconds: a file asks for what differs, not for all that stands in it."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import Repository, judged


class _Counting(Repository):
    """It remembers what it was searched for."""

    def __init__(self) -> None:
        super().__init__({"other.txt": "nothing\n"})
        self.searches: list[tuple[str, ...]] = []

    def mentioning(self, words: Collection[str]) -> Mapping[str, bytes] | None:
        self.searches.append(tuple(sorted(words)))
        return super().mentioning(words)


# By path: what stands there many times, each time with another number.
STAYS = {
    "a.py": """
import lib{0}
_LIMIT{0} = {0}
class Town{0}:
    def grow(self):
        return lib{0}.f(_LIMIT{0})
""",
    "a.ts": """
import {{ lib{0} }} from './lib{0}';
const limit{0} = {0};
function grow{0}(a: number) {{ return lib{0}(a, limit{0}); }}
class Town{0} {{ private grow() {{ return grow{0}(1); }} }}
""",
    "a.js": """
const lib{0} = require('./lib{0}');
const limit{0} = {0};
function grow{0}(a) {{ return lib{0}(a, limit{0}); }}
""",
    "a.go": """
const limit{0} = {0}
type town{0} struct {{ a int }}
func (t *town{0}) grow{0}(a int) int {{ return t.a + a + limit{0} }}
""",
    "a.rs": """
const LIMIT{0}: u8 = {0};
struct Town{0} {{ a: u8 }}
impl Town{0} {{ fn grow{0}(&self) -> u8 {{ self.a + LIMIT{0} }} }}
""",
    "A.java": """
private static int limit{0} = {0};
private static int grow{0}(int a) {{ return a + limit{0}; }}
void go{0}() {{ grow{0}(1); }}
private static class Town{0} {{ private int b; }}
Town{0} town{0} = new Town{0}();
""",
    "a.c": """
#define LIMIT{0} {0}
struct town{0} {{ int a; }};
static int grow{0}(int a) {{ return a + LIMIT{0}; }}
int go{0}(void) {{ return grow{0}(1); }}
""",
}
BRANCHES = (
    "if (a) { return 1; } else { return 2; } }\n",
    "if (a) { return 1; } return 2; }\n",
    "if (a) { return 3; } return 2; }\n",
)
# What changes beside it: as it was, in another form, and with another value.
CHANGES = {
    "a.py": (
        "def f(a: int):\n    return a == 1\n",
        "def f(a):\n    return a == 1\n",
        "def f(a):\n    return a == 2\n",
    ),
    "a.ts": tuple("function f(a) { " + branches for branches in BRANCHES),
    "a.js": tuple("function f(a) { " + branches for branches in BRANCHES),
    "a.go": (
        "func f() int { a := 1; return a }\n",
        "func f() int { b := 1; return b }\n",
        "func f() int { b := 2; return b }\n",
    ),
    "a.rs": ("fn f() -> u8 { return 1; }\n", "fn f() -> u8 { 1 }\n", "fn f() -> u8 { 2 }\n"),
    "A.java": tuple("int f(boolean a) { " + branches for branches in BRANCHES),
    "a.c": (
        "int f(void) { int a = 1; return a; }\n",
        "int f(void) { int b = 1; return b; }\n",
        "int f(void) { int b = 2; return b; }\n",
    ),
}


def _file(path: str, count: int, last: str) -> str:
    body = "".join(STAYS[path].format(number) for number in range(count)) + last
    if path == "A.java":
        imports = "".join(f"import org.lib{number}.Lib{number};\n" for number in range(count))
        return f"package a;\n{imports}class A {{\n{body}}}\n"
    return "package a\n" + body if path == "a.go" else body


def _searches(path: str, count: int, before: str, after: str) -> tuple[MutationClass, int]:
    repository = _Counting()
    found = judged({path: (_file(path, count, before), _file(path, count, after))}, repository)
    return found[path].mutation_class, len(repository.searches)


@pytest.mark.parametrize("path", STAYS)
def test_what_stays_is_not_searched_for(path: str) -> None:
    before, same, other = CHANGES[path]
    for after, expected in ((same, MutationClass.AST_REFACTOR), (other, MutationClass.INTENT_EVOLUTION)):
        few, many = (_searches(path, count, before, after) for count in (3, 30))
        assert few == many
        assert few[0] is expected
