"""Change sets that look like a rename and are none: small projects of several files, renamed in the wrong way.

Each project declares a name in one file and uses it in others. A crude lexer of its own finds the occurrences, so
nothing here uses what it measures.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

Files = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Project:
    """Files, a name that one declares and all use, another word that they have, and a class header with a base."""

    files: Files
    name: str
    taken: str
    plain: str
    derived: str


@dataclass(frozen=True, slots=True)
class ChangeSetMutant:
    """What each file held and holds, and the files that stay as they are."""

    kind: str
    before: Files
    after: Files
    others: Files


_PYTHON = Project(
    {
        "shop/cart.py": """
class Cart:
    def __init__(self):
        self.items_held = []

    def total_price(self, rate):
        return sum(self.items_held) * rate

    def show_all(self):
        return self.total_price(1), self.items_held
""",
        "shop/till.py": """
from shop.cart import Cart


def pay(cart):
    return cart.total_price(2) + cart.total_price(3)
""",
        "tests/check_cart.py": """
from shop.cart import Cart

assert Cart().total_price(1) == 0
""",
    },
    "total_price",
    "show_all",
    "class Cart:",
    "class Cart(dict):",
)
_TYPESCRIPT = Project(
    {
        "src/cart.ts": """
export class Cart {
  private held: number[] = []
  totalPrice(rate: number) { return this.held.length * rate }
  showAll() { return [this.totalPrice(1), this.held] }
}
""",
        "src/till.ts": """
import {Cart} from './cart'
export function pay(cart: Cart) { return cart.totalPrice(2) + cart.totalPrice(3) }
""",
        "src/show.ts": """
import {Cart} from './cart'
console.log(new Cart().totalPrice(1))
""",
    },
    "totalPrice",
    "showAll",
    "class Cart {",
    "class Cart extends Base {",
)
_GO = Project(
    {
        "shop/cart.go": """
package shop

type Cart struct{ held []int }

func (c *Cart) TotalPrice(rate int) int { return len(c.held) * rate }

func (c *Cart) ShowAll() int { return c.TotalPrice(1) }
""",
        "shop/till.go": """
package shop

func Pay(c *Cart) int { return c.TotalPrice(2) + c.TotalPrice(3) }
""",
        "main/run.go": """
package main

import "x/shop"

func run(c *shop.Cart) int { return c.TotalPrice(1) }
""",
    },
    "TotalPrice",
    "ShowAll",
    "",
    "",
)
_RUST = Project(
    {
        "src/cart.rs": """
pub struct Cart { held: Vec<u8> }

impl Cart {
    pub fn total_price(&self, rate: usize) -> usize { self.held.len() * rate }
    pub fn show_all(&self) -> usize { self.total_price(1) }
}
""",
        "src/till.rs": """
use crate::cart::Cart;

pub fn pay(c: &Cart) -> usize { c.total_price(2) + c.total_price(3) }
""",
        "src/main.rs": """
mod cart;
mod till;
fn run(c: cart::Cart) -> usize { c.total_price(1) }
""",
    },
    "total_price",
    "show_all",
    "impl Cart",
    "impl Priced for Cart",
)
_JAVA = Project(
    {
        "shop/Cart.java": """
package shop;

public class Cart {
  private int held;
  public int totalPrice(int rate) { return held * rate; }
  public int showAll() { return totalPrice(1); }
}
""",
        "shop/Till.java": """
package shop;

class Till {
  int pay(Cart cart) { return cart.totalPrice(2) + cart.totalPrice(3); }
}
""",
        "app/Run.java": """
package app;

import shop.Cart;

class Run {
  int go(Cart cart) { return cart.totalPrice(1); }
}
""",
    },
    "totalPrice",
    "showAll",
    "class Cart {",
    "class Cart extends Base {",
)
_JAVASCRIPT = Project(
    {
        path.replace(".ts", ".js"): re.sub(r": (number\[\]|number|Cart)|private ", "", text)
        for path, text in _TYPESCRIPT.files.items()
    },
    *("totalPrice", "showAll", "class Cart {", "class Cart extends Base {"),
)
_C = Project(
    {
        "src/cart.c": """
#include "cart.h"

int total_price(struct cart *c, int rate) { return c->held * rate; }
int show_all(struct cart *c) { return total_price(c, 1); }
""",
        "src/cart.h": """
struct cart { int held; };
int total_price(struct cart *c, int rate);
#define PRICE(c) total_price((c), 1)
""",
        "app/till.c": """
#include "cart.h"

int pay(struct cart *c) { return total_price(c, 2) + total_price(c, 3) + PRICE(c); }
""",
    },
    "total_price",
    "show_all",
    "",
    "",
)
PROJECTS = MappingProxyType(
    {"py": _PYTHON, "ts": _TYPESCRIPT, "js": _JAVASCRIPT, "go": _GO, "rs": _RUST, "java": _JAVA, "c": _C}
)
KINDS = (
    "one use left",
    "two names",
    "shadowing",
    "override",
    "reflection",
    "elsewhere",
    "other body",
    "taken elsewhere",
)


def renamed(project: Project, new: str) -> Files:
    """The project with the name changed everywhere: that is the refactor."""
    return {path: re.sub(rf"\b{project.name}\b", new, text) for path, text in project.files.items()}


def change_set_mutants(language: str, chance: random.Random, most: int) -> Iterator[ChangeSetMutant]:
    """Up to `most` wrong renames of the language's project, of kinds taken in turn."""
    project = PROJECTS[language]
    suffix = f".{language}"
    separator = "_" if "_" in project.name else ""
    made = 0
    for number in range(most * 3):
        kind = KINDS[number % len(KINDS)]
        word = f"{project.name}{separator}{chance.choice(('Sum', 'Due', 'Net'))}{chance.randrange(100)}"
        new = word.lower() if separator else word
        before, after, others = dict(project.files), dict(renamed(project, new)), {}
        path = chance.choice(sorted(after))
        if kind in ("one use left", "two names"):
            spots = [match.start() for match in re.finditer(rf"\b{new}\b", after[path])]
            spot = chance.choice(spots)
            other = project.name if kind == "one use left" else f"{new}x"
            after[path] = f"{after[path][:spot]}{other}{after[path][spot + len(new) :]}"
        elif kind == "shadowing":
            after = dict(renamed(project, project.taken))
        elif kind == "override":
            if not project.plain:
                continue
            before, after = (
                {name: text.replace(project.plain, project.derived) for name, text in files.items()}
                for files in (before, after)
            )
        elif kind == "reflection":
            name = chance.choice((project.name, new))
            others = {f"other/find{suffix}": f'x = "{name}";\n' if language != "py" else f"x = '{name}'\n"}
            if language in ("go", "rs", "java"):
                others = {"other/settings.toml": f"x = '{name}'\n"}
        elif kind == "elsewhere":
            first, *_ = sorted(before, key=lambda file: project.plain not in before[file] or not project.plain)
            home = first if project.plain else next(iter(project.files))
            before.pop(home)
            after.pop(home)
        elif kind == "other body":
            home = next(name for name, text in after.items() if " * " in text)
            after[home] = after[home].replace(" * ", " + ")
        else:
            others = {f"other/use{suffix}": project.files[path].replace(project.name, new)}
        yield ChangeSetMutant(kind, before, after, others)
        made += 1
        if made == most:
            return
