"""Names that a change set renames in the whole repository: proven by all uses, or not at all."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import Change, MutationClass
from intentls.core.mutation.classify import classify_change
from intentls.core.mutation.file_versions import FileVersions
from intentls.core.mutation.renames.rename_candidates import candidates
from tests.core.mutation.repository import Repository, Versions, classes, judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION

PY = "class City:\n    def find_all(self):\n        return self.find_all\n"
USER = "def show(city):\n    print(city.find_all())\n"


def _renamed(files: dict[str, str], *pairs: tuple[str, str]) -> Versions:
    versions: dict[str, tuple[str | None, str | None]] = {}
    for path, text in files.items():
        after = text
        for old, new in pairs:
            after = after.replace(old, new)
        versions[path] = (text, after)
    return versions


EACH = ("find_all", "find_each")
TOTAL = ("tally", "total")
PROVEN: dict[str, tuple[dict[str, str], tuple[str, str]]] = {
    "a method and its uses": ({"a.py": PY, "b.py": USER}, EACH),
    "a method of a class with a base of our own": (
        {"a.py": "class Place:\n    pass\n" + PY.replace("City", "City(Place)"), "b.py": USER},
        EACH,
    ),
    "an abstract method, a property and one with parameters": (
        {"a.py": PY.replace("    def", "    @property\n    @abstractmethod\n    def"), "b.py": USER},
        EACH,
    ),
    "a function and who imports it": (
        {"src/a.py": "def find_all():\n    return 1\n", "b.py": "from src.a import find_all\nx = find_all() + 1\n"},
        EACH,
    ),
    "a function in the same package": (
        {"p/a.py": "def find_all():\n    return 1\n", "p/b.py": "from . import find_all\nx = find_all() + 1\n"},
        EACH,
    ),
    "an attribute that a class gives itself": (
        {"a.py": "class City:\n    def __init__(self):\n        self.find_all = 1\n", "b.py": "x = city.find_all\n"},
        EACH,
    ),
    "an attribute of a class that has no subclass": (
        {
            "a.py": "@final\nclass City:\n    def __init__(self):\n        self.find_all: int = 1\n",
            "b.py": "x = city.find_all\n",
        },
        EACH,
    ),
    "a parameter that is named in a call": (
        {
            "a.py": "def area(find_all, b):\n    return find_all * b\n",
            "b.py": "from a import area\narea(find_all=1, b=2)\n",
        },
        EACH,
    ),
    "a parameter of a constructor": (
        {"a.py": "class A:\n    def __init__(self, find_all):\n        pass\n", "b.py": "import a\na.A(find_all=1)\n"},
        EACH,
    ),
    "a fixture and the tests that ask for it": (
        {
            "conftest.py": "@pytest.fixture\ndef find_all():\n    return 1\n",
            "test_a.py": "def test_a(find_all):\n    assert find_all\n",
        },
        EACH,
    ),
    "a name that is imported from a module of the change": (
        {"src/a.py": "def find_all():\n    return 1\n", "b.py": "import src.a as m\nx = m.find_all() + 1\n"},
        EACH,
    ),
    "a method of Java, and an interface of our own": (
        {
            "A.java": "interface B { int tally(); }\nclass A implements B { public int tally() { return tally(); } }\n",
        },
        TOTAL,
    ),
    "a field of Java in a class within": (
        {"A.java": "class A { int tally; class B implements Runnable { public void run() { f(tally, a.tally); } } }\n"},
        TOTAL,
    ),
    "a struct, its fields and their uses in Rust": (
        {
            "src/a.rs": "#[derive(Debug)]\npub struct City { pub tally: u8 }\n"
            "impl City { fn f(&self) -> u8 { self.tally } }\n",
            "src/b.rs": 'use crate::a::City;\nfn g(c: City) -> u8 { println!("{}", c.tally); c.tally }\n',
        },
        TOTAL,
    ),
    "a method of a trait of our own in Rust": (
        {"src/a.rs": "pub trait T { fn tally(&self) -> u8; }\nimpl T for A { fn tally(&self) -> u8 { 1 } }\n"},
        TOTAL,
    ),
    "a field that nothing writes out, beside some that are, in Rust": (
        {
            "src/a.rs": "#[derive(Serialize)]\nstruct A { b: u8 }\n#[derive(Clone, Default)]\n#[allow(dead_code)]\n"
            "struct C { tally: u8 }\nimpl C { fn f(&self) -> u8 { try!(self.tally) } }\n",
        },
        TOTAL,
    ),
    "a parameter that code for other crates takes the value of, in Rust": (
        {"src/a.rs": "fn f(tally: A) -> B { quote! { a::#tally(#(#tally),*) } }\nfn g(tally: A) { f(tally) }\n"},
        TOTAL,
    ),
    "a method that sets a field of what its object holds, in Rust": (
        {
            "src/a.rs": "struct Config { tally: u8 }\nstruct A { config: Config }\n"
            "impl A { fn tally(&mut self, a: u8) { self.config.tally = a } }\n"
        },
        TOTAL,
    ),
    "a method and its field, beside a function of the new name, in Rust": (
        {
            "src/a.rs": "struct A { tally: u8 }\nimpl A { fn tally(&self) -> u8 { self.tally } }\n"
            "mod t { fn total() -> A { g(a.tally()) }\n fn h() { total(); } }\n"
        },
        TOTAL,
    ),
    "a function in Rust": (
        {
            "src/a.rs": "pub fn tally() -> u8 { 1 }\n",
            "src/b.rs": "use crate::a::tally;\nfn g() -> u8 { tally() + a::tally() }\n",
        },
        TOTAL,
    ),
    "a function in Rust that is taken from the root of its crate": (
        {
            "src/lib.rs": "pub fn tally() -> u8 { 1 }\n",
            "src/b.rs": "use {tally, other};\nfn g() -> u8 { tally() + other() }\n",
        },
        TOTAL,
    ),
    "an unexported field in Go": (
        {"p/a.go": "package p\ntype City struct { tally int }\n", "p/b.go": "package p\nvar x = City{tally: 1}\n"},
        TOTAL,
    ),
    "a method of Go that calls itself": (
        {"p/a.go": "package p\nfunc (c *City) Tally() int { return c.Tally() }\n"},
        ("Tally", "Total"),
    ),
    "an exported function of Go": (
        {
            "p/a.go": "package p\nfunc Tally() int { return 1 }\n",
            "q/b.go": 'package q\nimport "x/p"\nfunc f() int { return p.Tally() }\n',
        },
        ("Tally", "Total"),
    ),
    "a method of Java, its interface and its callers": (
        {
            "a/A.java": "package a;\ninterface A { int tally(); }\n"
            "class B implements A { @Override public int tally() { return 1; } }\n",
            "b/C.java": "package b;\nimport a.A;\nclass C { int f(A a) { return a.tally(); } }\n",
        },
        TOTAL,
    ),
    "a class of Java and who imports it": (
        {
            "a/b/City.java": "package a.b;\npublic class City { }\n",
            "C.java": "import a.b.City;\nclass C { City c; }\n",
        },
        ("City", "Town"),
    ),
    "a private field of JavaScript": (
        {"a.js": "class A { #tally = 1; f() { return this.#tally } }\n"},
        TOTAL,
    ),
    "a method of TypeScript": (
        {"a.ts": "export class A { tally() { return 1 } }\n", "b.ts": "import {A} from './a'\nnew A().tally()\n"},
        TOTAL,
    ),
}


@pytest.mark.parametrize("name", PROVEN)
def test_a_name_that_all_files_rename_is_a_refactor_in_each_of_them(name: str) -> None:
    files, pair = PROVEN[name]
    found = judged(_renamed(files, pair))
    assert {verdict.mutation_class for verdict in found.values()} == {REFACTOR}, found
    assert all(f"rename {pair[0]}->{pair[1]}" in verdict.reasons for verdict in found.values())


_LIST = {
    "src/list.rs": "pub struct List { tally: u32 }\nimpl List {\n    pub fn find_all(&self) -> u32 { self.tally }\n}\n",
    "src/main.rs": "mod list;\nfn show(list: &List) {\n    g(list.find_all());\n}\n",
}
_LIST_OF_GO = {
    "list.go": "package list\n\ntype List struct{ size int }\n\nfunc (l *List) find_all() int { return l.size }\n",
    "use.go": "package list\n\nfunc show(l *List) { print(l.find_all()) }\n",
}


@pytest.mark.parametrize(
    ("files", "others"),
    [
        (_LIST, {"src/b.rs": 'fn h() { panic!("find_all went wrong") }\n'}),
        (_LIST, {"src/b.rs": 'fn h() { println!("no {} find_all", 1) }\nconst A: &str = "find_ or _each";\n'}),
        ({**_LIST, "src/c.rs": 'fn k() { eprintln!("no find_all here") }\n'}, {}),
        (_LIST_OF_GO, {"b.go": 'package list\n\nfunc h() { panic("find_all went wrong") }\n'}),
        (_LIST_OF_GO, {"b.go": 'package list\n\nvar a = "find_" + b\n'}),
        (_LIST_OF_GO, {"other/b.go": "package other\n\nfunc find_all() int { return find_each }\n"}),
    ],
)
def test_what_a_text_of_go_or_rust_says_to_people_is_no_use(files: dict[str, str], others: dict[str, str]) -> None:
    changed = {
        path: (text, text.replace(*EACH) if '"' not in text else f"{text}// why\n") for path, text in files.items()
    }
    found = classes(changed, others)
    assert {found[path] for path in files if '"' not in files[path]} == {REFACTOR}, judged(changed, others)


@pytest.mark.parametrize(
    ("files", "other"),
    [
        (_LIST, 'fn h() { f("find_all") }\n'),
        (_LIST, 'fn h() { println!("the {find_all} of it") }\n'),
        (_LIST, 'fn h() { println!("the {:>find_all$} of it", 1) }\n'),
        (_LIST, 'fn h() { f("call .find_all() of it") }\n'),
        (_LIST, 'fn h() { f(r#"the find_all of it"#) }\n'),
        (_LIST, 'paste! { fn h() { f("find_") } }\n'),
        (_LIST_OF_GO, 'package list\n\nfunc h() { f("find_all") }\n'),
        (_LIST_OF_GO, "package list\n\nfunc h(l *List) int { return l.find_all() }\n"),
        (_LIST_OF_GO, 'package list\n\nimport _ "unsafe"\n\n//go:linkname find_all x.find_all\nfunc find_all() int\n'),
        (_LIST_OF_GO, "package list\n\nvar a = `the find_all of it`\n"),
        (_LIST_OF_GO, 'package list\n\nvar a = b.MethodByName("find_" + c)\n'),
        (_LIST_OF_GO, 'package list\n\nvar a = "of {{.find_all}} it"\n'),
    ],
)
def test_a_text_of_go_or_rust_that_a_program_may_find_a_name_by_is_a_use(files: dict[str, str], other: str) -> None:
    changed = {path: (text, text.replace(*EACH)) for path, text in files.items()}
    path = "src/b.rs" if "src/list.rs" in files else "b.go"
    assert set(classes(changed, {path: other}).values()) == {EVOLUTION}


def test_a_part_of_a_name_counts_where_the_change_itself_puts_names_together() -> None:
    files = {**_LIST, "src/b.rs": "paste! { fn h() { g(1) } }\n", "src/c.rs": 'fn k() { f("find_") }\n'}
    changed = {path: (text, text.replace(*EACH).replace("g(1)", "g(2)")) for path, text in files.items()}
    del changed["src/c.rs"]
    assert set(classes(changed, {"src/c.rs": files["src/c.rs"]}).values()) == {EVOLUTION}


def test_a_name_of_go_that_other_packages_see_or_are_given_is_also_theirs() -> None:
    linked = "package other\n\n//go:linkname find_all x.find_all\nfunc find_all() int\n"
    hidden = {path: (text, text.replace(*EACH)) for path, text in _LIST_OF_GO.items()}
    assert set(classes(hidden, {"other/b.go": linked}).values()) == {EVOLUTION}
    shown = {
        path: (text.replace("find_all", "Find"), text.replace("find_all", "Each")) for path, text in _LIST_OF_GO.items()
    }
    assert set(classes(shown, {"other/b.go": "package other\n\nvar a = b.Find()\n"}).values()) == {EVOLUTION}


def test_words_in_prose_and_in_comments_do_not_stand_in_the_way() -> None:
    versions = {**_renamed({"a.py": PY, "b.py": USER}, EACH), "README.md": ("find_all", "find_each")}
    others = {"CHANGES.md": "find_all is there", "c.py": "# find_all\nx = 1\n"}
    assert classes(versions, others) == {"a.py": REFACTOR, "b.py": REFACTOR, "README.md": MutationClass.DOCUMENTATION}


def test_a_file_that_changes_more_than_a_name_is_an_evolution_and_the_others_are_not() -> None:
    versions = dict(_renamed({"a.py": PY, "b.py": USER}, EACH))
    versions["c.py"] = ("x = city.find_all() + 1\n", "x = city.find_each() + 2\n")
    assert classes(versions) == {"a.py": REFACTOR, "b.py": REFACTOR, "c.py": EVOLUTION}


def test_who_uses_a_name_does_the_same_though_what_has_it_does_something_else_now() -> None:
    """The file that has it is told of that. It has to be declared with the same parameters."""
    after = PY.replace(*EACH).replace("return ", "return not ")
    assert classes({"a.py": (PY, after), "b.py": (USER, USER.replace(*EACH))}) == {"a.py": EVOLUTION, "b.py": REFACTOR}


def test_so_does_who_uses_what_a_name_of_a_script_has() -> None:
    before = "export const findAll = (a) => g(a)\n"
    user = "import {findAll} from './a.js'\nfindAll(1)\n"
    versions = {
        "p/a.js": (before, before.replace("findAll", "findEach").replace("g(a)", "g(a, 1)")),
        "p/b.js": (user, user.replace("findAll", "findEach")),
    }
    assert classes(versions) == {"p/a.js": EVOLUTION, "p/b.js": REFACTOR}


def test_a_name_of_a_base_in_a_file_that_did_not_change_is_looked_up_there() -> None:
    versions = _renamed({"a.py": PY.replace("City", "City(Place)"), "b.py": USER}, EACH)
    assert classes(versions, {"p.py": "class Place:\n    pass\n"}) == {"a.py": REFACTOR, "b.py": REFACTOR}
    assert classes(versions, {"p.py": "class Place(threading.Thread):\n    pass\n"})["b.py"] is EVOLUTION
    assert classes(versions, {"p.py": "class Place:\n    pass\nclass Place(X):\n    pass\n"})["b.py"] is EVOLUTION
    assert classes(versions, {"p.json": "{'Place': 1}"})["b.py"] is EVOLUTION
    assert classes(versions)["b.py"] is EVOLUTION


OTHERS = {
    "a use is left": {"c.py": "city.find_all()\n"},
    "a text has the name": {"c.py": "x = 'find_all'\n"},
    "settings have it": {"c.toml": "x = 'a:find_all'\n"},
    "a template has it": {"c.html": "{{ city.find_all }}"},
    "a file that does not parse has it": {"c.py": "city.find_all(\n"},
    "the new name is there": {"c.py": "def find_each(): pass\n"},
    "a text has its beginning": {"c.py": "getattr(city, 'find_' + x)()\n"},
    "a formatted text has its end": {"c.py": "getattr(city, f'{x}_each')()\n"},
}


@pytest.mark.parametrize("name", OTHERS)
def test_a_name_that_another_file_may_know_is_no_refactor(name: str) -> None:
    assert classes(_renamed({"a.py": PY, "b.py": USER}, EACH), OTHERS[name])["b.py"] is EVOLUTION


def test_nothing_is_proven_by_a_repository_that_can_not_be_searched() -> None:
    versions = _renamed({"a.py": PY, "b.py": USER}, EACH)
    assert classes(versions, Repository({}, can_search=False))["b.py"] is EVOLUTION


FIND = ("find", "seek")
UNPROVEN: dict[str, tuple[dict[str, str], tuple[str, str]]] = {
    "who overrides what is elsewhere": (
        {"a.py": PY.replace("City", "City(threading.Thread)"), "b.py": USER},
        EACH,
    ),
    "a metaclass may do anything": ({"a.py": PY.replace("City", "City(metaclass=M)"), "b.py": USER}, EACH),
    "a base that has itself as a base": ({"a.py": PY.replace("City", "City(City)"), "b.py": USER}, EACH),
    "a decorator may know the name": ({"a.py": PY.replace("    def", "    @route\n    def"), "b.py": USER}, EACH),
    "what is handed on to another method of that name": (
        {"a.py": "class A:\n    def find_all(self):\n        return self.client.find_all()\n", "b.py": USER},
        EACH,
    ),
    "what a module from elsewhere has": (
        {"a.py": "class A:\n    def find_all(self):\n        return 1\n", "b.py": "import soup\nsoup.find_all(1)\n"},
        EACH,
    ),
    "what a module below one from elsewhere has": (
        {"a.py": "class A:\n    def find_all(self):\n        return 1\n", "b.py": "import soup\nsoup.x.find_all(1)\n"},
        EACH,
    ),
    "a field of Java, for which a base from elsewhere may have the new name": (
        {"A.java": "class A { int tally; class B extends Base { int f() { return tally; } } }\n"},
        TOTAL,
    ),
    "a method of Java that an object of a class from elsewhere calls": (
        {"A.java": "class A { private int tally() { return 1; } B b = new Base() { int f() { return tally(); } }; }\n"},
        TOTAL,
    ),
    "what is imported from elsewhere": (
        {
            "a.py": "class A:\n    def find_all(self):\n        return 1\n",
            "b.py": "from soup import find_all\nfind_all(1)\n",
        },
        EACH,
    ),
    "a single word after a dot, in a language without types": (
        {"a.py": "class A:\n    def find(self):\n        return 1\n", "b.py": "x.find(1)\n"},
        FIND,
    ),
    "a parameter that a fixture gives": ({"test_a.py": "def test_a(find_all):\n    assert find_all.x\n"}, EACH),
    "a parameter of a decorated function": (
        {"a.py": "@cli\ndef main(find_all):\n    return find_all\n"},
        EACH,
    ),
    "a parameter of a method that overrides what is elsewhere": (
        {"a.py": "class A(Handler):\n    def go_on(self, find_all):\n        return find_all\n"},
        EACH,
    ),
    "a keyword of another function": (
        {"a.py": "def area(find_all):\n    return find_all\n", "b.py": "soup(find_all=1)\n"},
        EACH,
    ),
    "a keyword of what a call gives": (
        {"a.py": "def area(find_all):\n    return find_all\n", "b.py": "class A(B, find_all=1):\n    pass\n"},
        EACH,
    ),
    "a name that is printed with its value": (
        {"a.py": "def f():\n    find_all = 1\n    return f'{find_all=}'\n", "b.py": USER},
        EACH,
    ),
    "a name that frameworks know by its form": (
        {"a.py": "class A:\n    def on_all(self):\n        return 1\n", "b.py": "x.on_all(1)\n"},
        ("on_all", "on_each"),
    ),
    "a field of a decorated class": (
        {"a.py": "@dataclass\nclass A:\n    find_all: int = 1\n", "b.py": "x.find_all\n"},
        EACH,
    ),
    "a field of a class that is decorated twice": (
        {"a.py": "@final\n@dataclass\nclass A:\n    find_all: int = 1\n", "b.py": "x.find_all\n"},
        EACH,
    ),
    "a field in a file that writes them out": (
        {
            "a.py": "class A:\n    find_all = 1\n    def f(self):\n        return self.__dict__\n",
            "b.py": "x.find_all\n",
        },
        EACH,
    ),
    "what is built in": (
        {"a.py": "class A:\n    def tally_all(self):\n        return 1\n", "b.py": "x.tally_all\n"},
        ("tally_all", "breakpoint"),
    ),
    "a word with two underscores": ({"a.py": "class A:\n    __x__ = 1\n", "b.py": "A.__x__\n"}, ("__x__", "__y__")),
    "a field of Go with a tag": (
        {
            "p/a.go": 'package p\ntype City struct { tally int `json:"x"` }\n',
            "p/b.go": "package p\nvar x = City{tally: 1}\n",
        },
        TOTAL,
    ),
    "an exported field of Go, which is written out by its name": (
        {"p/a.go": "package p\ntype City struct { Tally int }\n", "p/b.go": "package p\nvar x = City{Tally: 1}\n"},
        ("Tally", "Total"),
    ),
    "a method that makes a type of Go fit an interface": (
        {"p/a.go": "package p\nfunc (c City) Tally() string { return c.Tally() }\n"},
        ("Tally", "String"),
    ),
    "an annotation of Java may know the name": (
        {"A.java": "class A { @Route int tally() { return tally(); } }\n"},
        TOTAL,
    ),
    "an annotated class, whose header is as it was": (
        {"A.java": "class B { @Route(1) class tally { int x; } }\nclass C { tally f() { return new tally(); } }\n"},
        TOTAL,
    ),
    "a method of a class of Java with a base from elsewhere": (
        {"A.java": "class A extends B implements C { int tally() { return tally(); } }\n"},
        TOTAL,
    ),
    "a method of a class with a base that is a call": (
        {"a.py": PY.replace("City", "City(base(1))"), "b.py": USER},
        EACH,
    ),
    "a field of an annotated class": ({"A.java": "@Entity class A { int tally; int f() { return tally; } }\n"}, TOTAL),
    "what a type of TypeScript has is the form of data": (
        {"a.ts": "export interface A { tally: number }\n", "b.ts": "f(a.tally)\n"},
        TOTAL,
    ),
    "a key of an object": (
        {"a.js": "class A { tally_all() { return {tally_all: 1} } }\n"},
        ("tally_all", "tally_each"),
    ),
    "a method of a trait from elsewhere": (
        {"src/a.rs": "impl T for A { fn tally(&self) -> u8 { 1 } }\n", "src/b.rs": "fn f(a: A) -> u8 { a.tally() }\n"},
        TOTAL,
    ),
    "a function beside a method of the new name in Rust": (
        {"src/a.rs": "impl A { fn total(&self) -> u8 { tally() } }\nfn tally() -> u8 { 1 }\n"},
        TOTAL,
    ),
    "a method beside a variable of the new name in Rust": (
        {"src/a.rs": "impl A { fn tally(&self) -> u8 { 1 } }\nfn f(total: A) -> u8 { total.tally() }\n"},
        TOTAL,
    ),
    "a method beside another one of the new name in Rust": (
        {"src/a.rs": "impl A { fn tally(&self) -> u8 { 1 } }\nimpl B { fn total(&self, a: A) -> u8 { a.tally() } }\n"},
        TOTAL,
    ),
    "a method that hands on to another one in Rust": (
        {
            "src/a.rs": "struct Config { tally: u8 }\nstruct A { config: Config }\n"
            "impl A { fn tally(&self) -> u8 { self.config.tally() } }\n"
        },
        TOTAL,
    ),
    "a field of what may be a type from elsewhere in Rust": (
        {
            "src/a.rs": "struct Config { tally: u8 }\nstruct A { config: b::Config }\n"
            "impl A { fn tally(&mut self, a: u8) { self.config.tally = a } }\n"
        },
        TOTAL,
    ),
    "a field of a variable in Rust": (
        {"src/a.rs": "struct A { tally: u8 }\nimpl A { fn tally(&mut self, a: &mut B) { a.tally = 1 } }\n"},
        TOTAL,
    ),
    "a field of one of two types of one name in Rust": (
        {
            "src/a.rs": "struct Config { tally: u8 }\nmod b { struct Config { c: u8 } }\nstruct A { config: Config }\n"
            "impl A { fn tally(&mut self, a: u8) { self.config.tally = a } }\n"
        },
        TOTAL,
    ),
    "a function of the standard library of Rust": (
        {"src/a.rs": "impl A { fn tally(&self) -> u8 { std::tally() } }\n"},
        TOTAL,
    ),
    "a field that is written out in Rust": (
        {"src/a.rs": "#[derive(Clone, Serialize)]\nstruct A { tally: u8 }\nfn f(a: A) -> u8 { a.tally }\n"},
        TOTAL,
    ),
    "a method in what an attribute of Rust shows to others": (
        {"src/a.rs": "#[wasm_bindgen]\nimpl A { fn tally(&self) -> u8 { 1 } }\nfn f(a: A) -> u8 { a.tally() }\n"},
        TOTAL,
    ),
    "a function in a module with an attribute of Rust": (
        {"src/a.rs": "use pyo3::pymodule;\n#[pymodule]\nmod a { fn tally() -> u8 { 1 } }\nfn f() -> u8 { tally() }\n"},
        TOTAL,
    ),
    "a name that a macro of Rust may write out": (
        {
            "src/a.rs": "struct A { tally: u8 }\nimpl_serialize!(A, tally);\nfn f(a: A) -> u8 { a.tally }\n"
            "#[derive(Serialize)]\nstruct B;\n"
        },
        TOTAL,
    ),
    "a name that Rust makes a text of": (
        {"src/a.rs": "struct A { tally: u8 }\nfn f(a: A) -> &str { g(a.tally, stringify!(tally)) }\n"},
        TOTAL,
    ),
    "a name in code that a macro of Rust writes for other crates": (
        {"src/a.rs": "fn tally() -> A { quote! { fn tally() {} } }\nfn f() -> A { tally() }\n"},
        TOTAL,
    ),
    "a test of Rust, which its attribute makes one": (
        {"src/a.rs": "#[test]\nfn tally() { }\nfn b() { tally() }\n"},
        TOTAL,
    ),
    "a component's property": (
        {"a.jsx": "class A { tally_all() { return <B tally_all={1}/> } }\n"},
        ("tally_all", "tally_each"),
    ),
}


@pytest.mark.parametrize("name", UNPROVEN)
def test_a_name_that_others_than_these_files_may_know_is_no_refactor(name: str) -> None:
    files, pair = UNPROVEN[name]
    found = classes(_renamed(files, pair))
    assert EVOLUTION in found.values(), found


BROKEN: dict[str, Versions] = {
    "one use is left": {"a.py": (PY, PY.replace(*EACH)), "b.py": (USER + USER, USER + USER.replace(*EACH))},
    "it takes something else": {
        "a.py": (PY, PY.replace("find_all(self)", "find_each(self, more)").replace(*EACH)),
        "b.py": (USER, USER.replace(*EACH)),
    },
    "one is taken for another that was there": {
        "a.py": (
            f"{PY}    def find_each(self):\n        return 2\n",
            f"{PY}    def find_each(self):\n        return 2\n",
        ),
        "b.py": (USER, USER.replace(*EACH)),
    },
    "what declares it is not there": {"b.py": (USER, USER.replace(*EACH))},
    "settings of the same change have the name": {
        "a.py": (PY, PY.replace(*EACH)),
        "b.py": (USER, USER.replace(*EACH)),
        "c.toml": ("x = 'find_all'", "x = 'find_each'"),
    },
    "a text of the same change has it": {
        "a.py": (PY, PY.replace(*EACH)),
        "b.py": (f"{USER}x = 'find_all'", f"{USER}x = 'find_each'".replace(*EACH)),
    },
    "a new file has the old name": {
        "a.py": (PY, PY.replace(*EACH)),
        "b.py": (USER, USER.replace(*EACH)),
        "c.py": (None, "x.find_all()\n"),
    },
    "a file that is gone had the new name": {
        "a.py": (PY, PY.replace(*EACH)),
        "b.py": (USER, USER.replace(*EACH)),
        "c.py": ("x.find_each()\n", None),
    },
    "a file of the change that does not parse has it": {
        "a.py": (PY, PY.replace(*EACH)),
        "b.py": (USER, USER.replace(*EACH)),
        "c.py": ("find_each", "x = = find_each\n"),
    },
    "a file of the change that does not parse has its beginning": {
        "a.py": (PY, PY.replace(*EACH)),
        "b.py": (USER, USER.replace(*EACH)),
        "c.py": ("x = = y('find_')", "x = = z('find_')\n"),
    },
    "a file of the change is no text": {
        "a.py": (PY, PY.replace(*EACH)),
        "b.py": (USER, USER.replace(*EACH)),
        "c.py": ("find_all", "\0"),
    },
    "a name of the same form is only imported by both": {
        "a.py": ("from x import find_all\nfind_all()\n", "from x import find_each\nfind_each()\n"),
    },
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_rename_that_is_not_the_same_everywhere_is_no_refactor(name: str) -> None:
    found = classes(BROKEN[name])
    assert found.get("b.py", found.get("a.py")) is EVOLUTION, found


def test_a_file_of_the_change_that_does_not_parse_proves_nothing_and_forbids_nothing() -> None:
    versions: dict[str, tuple[str | None, str | None]] = {
        "a.py": (PY, PY.replace(*EACH)),
        "b.py": (USER, USER.replace(*EACH)),
        "c.py": ("x = = 1\n", "x = = 2\n"),
    }
    found = classes(versions)
    assert (found["b.py"], found["c.py"]) == (REFACTOR, EVOLUTION)


GO = "package a\n\n{}\n\nfunc run() {{ do({}) }}\n"


@pytest.mark.parametrize("declaration", ["const {} = 1", "var {} = 1", "func {}() int {{ return 1 }}"])
def test_what_a_package_of_go_no_longer_shows_is_a_refactor_if_no_file_uses_it(declaration: str) -> None:
    before, after = (GO.format(declaration.format(name), name) for name in ("Limit", "limit"))
    assert classes({"a.go": (before, after)}) == {"a.go": REFACTOR}
    assert classes({"a.go": (after, before)}) == {"a.go": EVOLUTION}  # other packages see more than before
    user = 'package b\n\nimport "x/a"\n\nvar c = a.Limit\n'
    assert classes({"a.go": (before, after)}, {"b/b.go": user}) == {"a.go": EVOLUTION}


@pytest.mark.parametrize(
    ("path", "before"),
    [
        ("a.go", "package a\ntype Limit struct{}\ntype b struct{ *Limit }\n"),
        ("a.go", "package a\ntype Limit struct{}\ntype b struct{ Limit }\n"),
        ("a.go", "package a\ntype b struct{ Limit int }\nfunc f(c b) int { return c.Limit }\n"),
        ("a.go", "package a\nfunc (c b) Limit() {}\nfunc f(c b) { c.Limit() }\n"),
        ("a.js", "function Limit() {}\nLimit()\n"),
    ],
)
def test_a_first_letter_that_means_something_is_no_refactor(path: str, before: str) -> None:
    assert classes({path: (before, before.replace("Limit", "limit"))}) == {path: EVOLUTION}


def test_a_type_of_go_that_no_struct_embeds_may_be_shown_no_more() -> None:
    before = "package a\ntype Limit struct{ b int }\nfunc (l *Limit) c() Limit { return Limit{} }\nvar x Limit\n"
    after = before.replace("Limit", "limit")
    assert classes({"a.go": (before, after)}) == {"a.go": REFACTOR}
    assert classes({"a.go": (before, after)}, {"b/b.go": 'package b\nimport "x/a"\nvar y a.Limit\n'}) == {
        "a.go": EVOLUTION
    }
    assert classes({"a.go": (before, after)}, {"b.go": "package a\nfunc limit() {}\n"}) == {"a.go": EVOLUTION}


MEMBER = "package a\ntype b struct{ lastidx int }\nfunc (c *b) d() int { return c.lastidx }\n"
PLAIN = "package a\nfunc lastidx(c int) int { return c }\nfunc d() int { return lastidx(1) }\n"


@pytest.mark.parametrize(
    ("before", "others", "beside", "inside"),
    [
        (MEMBER, "func e() { lastIdx := 1; f(lastIdx, lastIdx) }", REFACTOR, REFACTOR),
        (MEMBER, "func e(g h) int { return g.lastIdx }", EVOLUTION, EVOLUTION),
        (MEMBER, "type h struct{ lastIdx int }", EVOLUTION, EVOLUTION),
        (MEMBER, "func e() h { return h{lastIdx: 1} }", EVOLUTION, EVOLUTION),
        (MEMBER, 'var e = "lastIdx"', EVOLUTION, EVOLUTION),
        (PLAIN, "func e(g h) int { return g.lastIdx }", REFACTOR, REFACTOR),
        (PLAIN, "func e() { lastIdx := 1; f(lastIdx, lastIdx) }", REFACTOR, EVOLUTION),
        (PLAIN, "func e() h { return h{lastIdx: 1} }", REFACTOR, EVOLUTION),
    ],
)
def test_a_member_of_go_is_never_a_variable_of_the_same_name(
    before: str, others: str, beside: object, inside: object
) -> None:
    after = before.replace("lastidx", "lastIdx")
    assert classes({"a.go": (before, after)}, {"e.go": f"package a\n{others}\n"}) == {"a.go": beside}
    assert classes({"a.go": (f"{before}{others}\n", f"{after}{others}\n")}) == {"a.go": inside}


KIND = "package a\n{}\ntype BKind int\nfunc f(b BKind) BKind {{ return b }}\n"


@pytest.mark.parametrize(
    ("imports", "others", "expected"),
    [
        (
            "",
            "type b struct{ Kind int }\nfunc g() b { return b{Kind: 1} }\nfunc h(c b) int { return c.Kind }",
            REFACTOR,
        ),
        ('import "x/c"', "type b struct{ Kind int }\nfunc h(d b) int { return d.Kind + c.D }", REFACTOR),
        ('import d "x/c"', "func h() int { return d.Kind }", EVOLUTION),
        ('import "x/c"', "func h() int { return c.Kind }", EVOLUTION),
        ('import "x/go-c"', "func h() int { return c.Kind }", EVOLUTION),
        ('import "x/c/v2"', "func h() int { return c.Kind }", EVOLUTION),
        ('import . "x/c"', "func h() int { return c.Kind }", EVOLUTION),
        ("", "type b struct{ Kind }", EVOLUTION),
        ("", "type b struct{ BKind }\nfunc h(c b) int { return c.Kind }", EVOLUTION),
        ("", "func Kind() {}", EVOLUTION),
    ],
)
def test_a_type_of_go_may_get_a_name_that_fields_have(imports: str, others: str, expected: object) -> None:
    """What stands behind the name of a package may be a type, too."""
    before = KIND.format(imports) + others + "\n"
    assert classes({"a.go": (before, before.replace("BKind", "Kind"))}) == {"a.go": expected}


def test_functions_of_go_are_not_found_by_their_names_beside_reflect() -> None:
    before = (
        'package a\nimport "reflect"\nvar Shown C = show\nfunc show(d any) bool { return reflect.ValueOf(d).IsNil() }\n'
    )
    after = before.replace("show", "isNil").replace("Shown", "Visible")
    assert classes({"a.go": (before, after)}) == {"a.go": REFACTOR}
    typed = 'package a\nimport "reflect"\ntype show struct{ b int }\nvar C = reflect.TypeOf(show{}).Name()\n'
    assert classes({"a.go": (typed, typed.replace("show", "list"))}) == {"a.go": EVOLUTION}


@pytest.mark.parametrize(("module", "expected"), [("x/tree", REFACTOR), ("x/tree/v2", REFACTOR), ("x/bush", EVOLUTION)])
def test_the_package_at_the_top_of_a_repository_of_go_is_known_by_its_name(module: str, expected: object) -> None:
    home = "package tree\n\nfunc Grow(c int) int { return c }\n"
    name = "bush" if module.endswith("bush") else "tree"
    user = f'package main\n\nimport "{module}"\n\nfunc main() {{ {name}.Grow(1) }}\n'
    versions = {path: (text, text.replace("Grow", "Plant")) for path, text in (("a.go", home), ("cmd/b.go", user))}
    found = classes(versions)
    assert found["a.go"] is expected


def test_a_public_name_that_an_unchanged_file_still_imports_is_no_refactor() -> None:
    versions = _renamed({"m.py": "def parse(x):\n    return x\nparse(1)\n"}, ("parse", "read"))
    assert classes(versions) == {"m.py": REFACTOR}
    assert classes(versions, {"c.py": "def f():\n    parse = 1\n    return parse\n"}) == {"m.py": REFACTOR}
    assert classes(versions, {"c.md": "parse"}) == {"m.py": REFACTOR}
    for other in ("from m import parse\nparse(2)\n", "import m\nm.parse(2)\n", "x = 'm.parse'\n", "parse(\n"):
        found = judged(versions, {"c.py": other})["m.py"]
        assert found.mutation_class is EVOLUTION, other
        assert found.reasons == ("rename parse->read, and another file still uses parse",)
    assert classes(versions, {"c.toml": "a = 'parse'"}) == {"m.py": EVOLUTION}
    assert classes(versions, Repository({}, can_search=False)) == {"m.py": EVOLUTION}


def test_candidates_are_the_pairs_that_most_lines_suggest() -> None:
    before = b"a = one(1)\nb = one(2)\nc = two(3)\n"
    after = b"a = uno(1)\nb = uno(2)\nc = due(3)\n"
    assert candidates([(before, after)]) == {"one": "uno", "two": "due"}
    assert candidates([(before, after), (b"one", b"ein"), (b"one", b"eins")]) == {"two": "due"}
    assert candidates([(b"one(1)\ntwo(2, 3)\n", b"uno(1)\ndue(2)\n")]) == {"one": "uno"}
    assert candidates([(b"one(\n  1)\n", b"uno(1)\n")]) == {"one": "uno"}


def test_the_proof_is_bounded_in_nodes() -> None:
    edits = [
        FileVersions(path, Change.MODIFY, (before or "").encode(), (after or "").encode())
        for path, (before, after) in _renamed({"a.py": PY, "b.py": USER}, EACH).items()
    ]
    found = classify_change(edits, nodes=60, others=Repository({}))
    assert {verdict.mutation_class for verdict in found} == {EVOLUTION}
