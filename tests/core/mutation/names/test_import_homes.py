"""Names that a file imports by another path: those that are the same, and those that only look like it."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION
REASON = "names imported by another path"
Change = tuple[str, str, str]
Files = dict[str, str]

RUST: Files = {
    "src/lib.rs": "mod town;\nmod size;\npub use size::Size;\n",
    "src/town/mod.rs": "mod plan;\npub(crate) mod road;\n",
    "src/town/road.rs": "pub struct Road;\n",
    "src/size.rs": "pub struct Size;\n",
}


def _rust(path: str, old: str, new: str, use: str = "fn f(a: {0}) {{}}\n", name: str = "Road") -> Change:
    return path, f"use {old};\n{use.format(name)}", f"use {new};\n{use.format(name)}"


PYTHON: Files = {
    "shop/__init__.py": "from .cart import Cart\n",
    "shop/cart.py": "class Cart:\n    pass\n",
    "shop/compat.py": "from urllib.parse import urljoin\nfrom urllib.parse import quote as escape\n",
}


def _python(old: str, new: str, name: str = "Cart", path: str = "shop/till.py") -> Change:
    return path, f"{old}\ndef f():\n    return {name}()\n", f"{new}\ndef f():\n    return {name}()\n"


TYPES: Files = {
    "src/core/index.ts": "export type { Plan } from './plan'\nexport * from './size'\n",
    "src/core/plan.ts": "export interface Plan { a: number }\n",
    "src/core/size.ts": "// export type Size = 2\nexport type Size = 1\nexport const make = () => 1\n",
}


def _types(old: str, new: str, name: str = "Plan") -> Change:
    body = f"export function f(a: {name}) {{ return a }}\n"
    return "src/a.ts", f"{old}\n{body}", f"{new}\n{body}"


SAME: dict[str, tuple[Change, Files]] = {
    "the module around": (_rust("src/town/plan.rs", "super::road::Road", "crate::town::road::Road"), RUST),
    "the module itself": (_rust("src/town/mod.rs", "self::road::Road", "crate::town::road::Road"), RUST),
    "what the crate hands on": (_rust("src/town/plan.rs", "crate::Size", "crate::size::Size", name="Size"), RUST),
    "what a module around hands on": (
        _rust("src/town/plan.rs", "super::Road", "crate::town::road::Road"),
        {**RUST, "src/town/mod.rs": RUST["src/town/mod.rs"] + "pub use self::road::Road;\n"},
    ),
    "what a module hands on of one around it": (
        _rust("src/town/plan.rs", "super::Size", "crate::size::Size", name="Size"),
        {**RUST, "src/town/mod.rs": RUST["src/town/mod.rs"] + "pub use super::Size;\n"},
    ),
    "the crate's own file": (_rust("src/main.rs", "self::size::Size", "crate::size::Size", name="Size"), RUST),
    "in a module of the file": (
        (
            "src/town/plan.rs",
            "mod t {\n    use super::super::road::Road;\n    fn f(a: Road) {}\n}\n",
            "mod t {\n    use crate::town::road::Road;\n    fn f(a: Road) {}\n}\n",
        ),
        RUST,
    ),
    "a module of the same package": (_python("from .cart import Cart", "from shop.cart import Cart"), PYTHON),
    "what a package hands on": (_python("from shop import Cart", "from shop.cart import Cart"), PYTHON),
    "what a module hands on that is loaded anyway": (
        _python(
            "from .compat import urljoin, escape",
            "from urllib.parse import urljoin\nfrom .compat import escape",
            "urljoin",
        ),
        PYTHON,
    ),
    "a module that a module takes whole": (
        _python("from .compat import parse", "from shop.compat import parse", "parse"),
        {**PYTHON, "shop/compat.py": "import parse\n"},
    ),
    "under another name": (
        _python(
            "from .compat import escape, urljoin",
            "from .compat import urljoin\nfrom urllib.parse import quote as escape",
        ),
        PYTHON,
    ),
    "a type that a file hands on": (
        _types("import type { Plan } from './core/plan'", "import type { Plan } from './core'"),
        TYPES,
    ),
    "a type among all that a file hands on": (
        _types("import type { Size } from './core/size.js'", "import type { Size } from './core/index'", "Size"),
        TYPES,
    ),
    "one file": (
        (
            "src/a.ts",
            "import { make } from './core'\nexport const a = make()\n",
            "import { make } from './core/index'\nexport const a = make()\n",
        ),
        TYPES,
    ),
}


@pytest.mark.parametrize("name", SAME)
def test_one_name_by_another_path_is_the_same(name: str) -> None:
    (path, old, new), others = SAME[name]
    for versions in ((old, new), (new, old)):
        verdict = judged({path: versions}, {key: text for key, text in others.items() if key != path})[path]
        assert verdict.mutation_class is REFACTOR, verdict.reasons
        assert REASON in verdict.reasons


OTHER: dict[str, tuple[Change, Files]] = {
    "another module": (_rust("src/town/plan.rs", "super::road::Road", "crate::road::Road"), RUST),
    "above the crate": (_rust("src/town/plan.rs", "super::super::super::Road", "crate::Road"), RUST),
    "a file in a place of its own": (
        _rust("src/town/plan.rs", "super::road::Road", "crate::town::road::Road"),
        {**RUST, "src/town/mod.rs": '#[path = "../plan.rs"]\nmod plan;\n'},
    ),
    "a file that no module is": (
        _rust("src/town/plan.rs", "super::road::Road", "crate::town::road::Road"),
        {**RUST, "src/town/mod.rs": "mod plans;\n"},
    ),
    "a crate of one file": (_rust("examples/plan.rs", "self::road::Road", "crate::road::Road"), RUST),
    "a directory that is called otherwise": (
        _rust("my_src/lib.rs", "self::road::Road", "crate::road::Road"),
        RUST,
    ),
    "another program": (_rust("src/bin/town/plan.rs", "super::road::Road", "crate::town::road::Road"), RUST),
    "a package of others": (_rust("src/town/plan.rs", "road::Road", "crate::road::Road"), RUST),
    "what the crate hands on and has": (
        _rust("src/town/plan.rs", "crate::Size", "crate::size::Size", name="Size"),
        {**RUST, "src/lib.rs": RUST["src/lib.rs"] + "#[allow(non_snake_case)]\nfn Size() {}\n"},
    ),
    "what the crate hands on under a condition": (
        _rust("src/town/plan.rs", "crate::Size", "crate::size::Size", name="Size"),
        {**RUST, "src/lib.rs": RUST["src/lib.rs"].replace("pub use", "#[cfg(a)]\npub use")},
    ),
    "what the crate hands on from outside": (
        _rust("src/town/plan.rs", "crate::Size", "crate::size::Size", name="Size"),
        {**RUST, "src/lib.rs": RUST["src/lib.rs"].replace("size::Size", "super::size::Size")},
    ),
    "what leads in a circle": (
        _rust("src/town/plan.rs", "crate::Size", "crate::size::Size", name="Size"),
        {
            **RUST,
            "src/size.rs": "pub use crate::Side as Size;\n",
            "src/lib.rs": RUST["src/lib.rs"] + "use size::Size as Side;\n",
        },
    ),
    "what the crate hands on of others": (
        _rust("src/town/plan.rs", "crate::Size", "crate::size::Size", name="Size"),
        {**RUST, "src/lib.rs": RUST["src/lib.rs"].replace("mod size;\n", "")},
    ),
    "another file of Python": (
        _python("from .cart import Cart", "from .basket import Cart"),
        {**PYTHON, "shop/basket.py": "class Cart:\n    pass\n"},
    ),
    "under a condition": (
        _python(
            "from .compat import escape, urljoin",
            "from urllib.parse import urljoin\nfrom .compat import escape",
            "urljoin",
        ),
        {**PYTHON, "shop/compat.py": "if a:\n    from urllib.parse import urljoin\n"},
    ),
    "one that a module may have of another": (
        _python(
            "from .compat import escape, urljoin",
            "from urllib.parse import urljoin\nfrom .compat import escape",
            "urljoin",
        ),
        {**PYTHON, "shop/compat.py": PYTHON["shop/compat.py"] + "from a import *\n"},
    ),
    "one that leads in a circle": (
        _python("from .compat import urljoin", "from .cart import urljoin", "urljoin"),
        {"shop/compat.py": "from .cart import urljoin\n", "shop/cart.py": "from .compat import urljoin\n"},
    ),
    "one of two": (
        _python(
            "from .compat import escape, urljoin",
            "from urllib.parse import urljoin\nfrom .compat import escape",
            "urljoin",
        ),
        {**PYTHON, "shop/compat.py": PYTHON["shop/compat.py"] + "urljoin = 1\n"},
    ),
    "a name that a function sets": (
        _python(
            "from .compat import escape, urljoin",
            "from urllib.parse import urljoin\nfrom .compat import escape",
            "urljoin",
        ),
        {**PYTHON, "shop/compat.py": PYTHON["shop/compat.py"] + "def f():\n    global urljoin\n    urljoin = 1\n"},
    ),
    "a name that another file sets": (
        _python(
            "from .compat import escape, urljoin",
            "from urllib.parse import urljoin\nfrom .compat import escape",
            "urljoin",
        ),
        {**PYTHON, "b.py": "from shop import compat\ncompat.urljoin = 1\n"},
    ),
    "a class that another file sets": (
        _python("from shop import Cart", "from shop.cart import Cart"),
        {**PYTHON, "b.py": "from shop import cart\ncart.Cart = 1\n"},
    ),
    "a module that is loaded no more": (
        _python("from .compat import urljoin", "from urllib.parse import urljoin", "urljoin"),
        PYTHON,
    ),
    "above the package": (_python("from ...cart import Cart", "from shop.cart import Cart"), PYTHON),
    "a value that a file hands on": (
        (
            "src/a.ts",
            "import { make } from './core'\nexport const a = make()\n",
            "import { make } from './core/size'\nexport const a = make()\n",
        ),
        TYPES,
    ),
    "a type of others": (
        _types("import type { Plan } from 'core/plan'", "import type { Plan } from './core/plan'"),
        TYPES,
    ),
    "another type": (
        _types("import type { Plan } from './core/plan'", "import type { Size as Plan } from './core'"),
        TYPES,
    ),
    "a type that two files may give": (
        _types("import type { Plan } from './core/plan'", "import type { Plan } from './core'"),
        {**TYPES, "src/core/index.ts": TYPES["src/core/index.ts"] + "export * from 'elsewhere'\n"},
    ),
    "a type of which nothing is known": (
        _types("import type { Plan } from './core/plan'", "import type { Plan } from './core'"),
        {},
    ),
    "a type of another package that is handed on": (
        _types("import type { Plan } from './core/plan'", "import type { Plan } from './core'"),
        {**TYPES, "src/core/index.ts": "export type { Plan } from 'core'\n"},
    ),
    "a type that a file hands on for itself": (
        _types("import type { Plan } from './core/plan'", "import type { Plan } from './core'"),
        {**TYPES, "src/core/index.ts": "interface Plan { b: string }\nexport { type Plan }\n"},
    ),
}


@pytest.mark.parametrize("name", OTHER)
def test_what_may_be_another_name_is_behaviour(name: str) -> None:
    (path, old, new), others = OTHER[name]
    for versions in ((old, new), (new, old)):
        verdict = judged({path: versions}, {key: text for key, text in others.items() if key != path})[path]
        assert verdict.mutation_class is EVOLUTION, verdict.reasons
