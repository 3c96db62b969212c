"""Imports that nothing uses, of modules that are loaded anyway, and those that someone may miss."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import Repository, Versions, classes

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION
Files = dict[str, str]

ITEM = "import json\nclass Item: pass\n"
CART = '"""A cart.\nimport nothing\n"""\nimport json, re as r\nfrom shop.item import Item\nclass Cart: pass\n'
TWO = "from shop.cart import Cart\nfrom shop.item import Item\nCart()\n"
ONE = "from shop.cart import Cart\nCart()\n"
SHOP: Files = {"a.txt": "import", "shop/__init__.py": "import json\n", "shop/item.py": ITEM, "shop/cart.py": CART}

PROVEN: dict[str, tuple[Versions, Files]] = {
    "an import that another one brings": ({"tests/test_a.py": (TWO, ONE)}, SHOP),
    "one that came": ({"tests/test_a.py": (ONE, TWO)}, SHOP),
    "a relative one": (
        {"shop/b.py": (TWO.replace("shop.", "."), ONE.replace("shop.", "."))},
        {**SHOP, "shop/c.py": "from .b import Cart\n"},
    ),
    "below a directory of sources": (
        {"tests/test_a.py": (TWO, ONE)},
        {f"src/{path}": text for path, text in SHOP.items()},
    ),
    "a module of its own": (
        {"tests/test_a.py": ("from shop import item, cart\ncart.Cart()\n", "from shop import cart\ncart.Cart()\n")},
        {**SHOP, "shop/__init__.py": "from . import item, cart\nfrom .. import nothing\n"},
    ),
    "of another package": (
        {"a.py": ("import b\nfrom far.away import URL\nb.c()\n", "import b\nb.c()\n")},
        {"b.py": "from far.away import URL\ndef c(): return URL\n"},
    ),
    "what the tests around load": (
        {"tests/test_a.py": ("x = 1\n", "from shop.item import Item\nx = 1\n")},
        {
            **SHOP,
            "tests/conftest.py": "from shop.item import Item\n",
        },
    ),
    "what others take from elsewhere": (
        {"shop/d.py": (TWO, ONE)},
        {**SHOP, "shop/e.py": "from shop.cart import Item\nfrom .item import *\nprint(Item)\n"},
    ),
    "what a list of names keeps": (
        {"shop/d.py": ("__all__ = ('f', 'g')\n" + TWO, "__all__ = ('f', 'g')\n" + ONE)},
        {**SHOP, "shop/e.py": "from .d import *\n"},
    ),
    "a name that prose has": (
        {"a.py": ("import json\ndef f():\n    '''To json.'''\n    return 1  # json\n", "def f():\n    return 1\n")},
        {"b.py": "import a\n"},
    ),
}
OPEN: dict[str, tuple[Versions, Files]] = {
    "what is loaded no more": ({"tests/test_a.py": (TWO, ONE)}, {**SHOP, "shop/cart.py": "class Cart: pass\n"}),
    "what is loaded in a function": (
        {"tests/test_a.py": (TWO, ONE)},
        {**SHOP, "shop/cart.py": "def f():\n    from shop.item import Item\nclass Cart: pass\nimport re\n"},
    ),
    "what imports the file itself": (
        {"shop/b.py": (TWO, ONE)},
        {**SHOP, "shop/item.py": "from shop.b import Cart\nclass Item: pass\n"},
    ),
    "what others take from this file": (
        {"shop/d.py": (TWO, ONE)},
        {**SHOP, "shop/e.py": "def f():\n    from shop.d import Cart, Item\n    return Item\n"},
    ),
    "what others may take from this file": ({"shop/d.py": (TWO, ONE)}, {**SHOP, "shop/e.py": "from .d import *\n"}),
    "what others name": ({"shop/d.py": (TWO, ONE)}, {**SHOP, "shop/e.py": "import shop.d\nshop.d.Item()\n"}),
    "what others take from an import of the standard library": (
        {"shop/d.py": ("import json\nx = 1\n", "x = 1\n")},
        {"shop/e.py": "from .d import json\njson.loads('')\n"},
    ),
    "a name that is not there": (
        {"tests/test_a.py": (ONE, TWO.replace("import Item", "import Thing"))},
        SHOP,
    ),
    "a name that may be a module": (
        {"tests/test_a.py": (TWO.replace("import Item", "import thing"), ONE)},
        SHOP,
    ),
    "beyond the top": ({"a.py": ("from ..b import Item\nx = 1\n", "x = 1\n")}, {"b.py": ITEM}),
    "a module of the standard library of that name": (
        {"tests/test_a.py": ("import b\nimport readline\nb()\n", "import b\nb()\n")},
        {"b.py": "import readline\n", "readline.py": "import json\n"},
    ),
    "an example uses it": (
        {
            "a.py": (
                "import json\ndef f():\n    '''\n    >>> json\n    '''\n",
                "def f():\n    '''\n    >>> json\n    '''\n",
            )
        },
        {},
    ),
    "a list of names that is made of others": (
        {"a.py": ("import json\n__all__ = b\n", "__all__ = b\n")},
        {},
    ),
}


@pytest.mark.parametrize("name", PROVEN)
def test_an_import_of_what_is_loaded_anyway_may_go(name: str) -> None:
    versions, others = PROVEN[name]
    assert set(classes(versions, others).values()) == {REFACTOR}


@pytest.mark.parametrize("name", OPEN)
def test_an_import_that_someone_may_miss_stays(name: str) -> None:
    versions, others = OPEN[name]
    assert set(classes(versions, others).values()) == {EVOLUTION}


def test_where_the_repository_can_not_be_searched_nothing_is_loaded() -> None:
    versions = {"tests/test_a.py": (ONE, TWO), "shop/item.py": (ITEM, f"# An item.\n{ITEM}")}
    found = classes(versions, Repository(SHOP, can_search=False))
    assert found["tests/test_a.py"] is EVOLUTION
    assert classes({"tests/test_a.py": (TWO, ONE)}, Repository(SHOP, can_search=False)) == {
        "tests/test_a.py": EVOLUTION
    }
