"""Items of Rust that go to another module of their crate, and all who name them there."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import Repository, Versions, classes, judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION
IMPORTS = "other imports, in which each name means the same"

MODERN = {"Cargo.toml": '[package]\nname = "my-tool"\nedition = "2021"\n'}
OLD = {"Cargo.toml": '[package]\nname = "my-tool"\n'}

MODE = "#[derive(Clone, Copy)]\npub enum Mode {\n    Always,\n    Never,\n}\n"
DEFAULT = "impl Default for Mode {\n    fn default() -> Self {\n        Mode::Never\n    }\n}\n"
CONFIG = "pub struct Config {\n    pub mode: Mode,\n    pub name: String,\n}\n"

MOVED: Versions = {
    "src/lib.rs": (
        "pub mod config;\nmod work;\npub use config::Mode;\n",
        "pub mod config;\npub mod mode;\nmod work;\npub use mode::Mode;\n",
    ),
    "src/config.rs": (
        f"use std::fmt;\n{MODE}{DEFAULT}{CONFIG}fn f(a: fmt::Error) {{}}\n",
        f"use crate::mode::Mode;\nuse std::fmt;\n{CONFIG}fn f(a: fmt::Error) {{}}\n",
    ),
    "src/mode.rs": (None, MODE + DEFAULT),
    "src/work.rs": (
        "use crate::config::{Config, Mode};\nfn g(a: Config) -> bool { h(Mode::Always, a) }\n",
        "use crate::config::Config;\nuse crate::mode::Mode;\nfn g(a: Config) -> bool { h(Mode::Always, a) }\n",
    ),
    "src/bin/my/main.rs": (
        "use my_tool::config::{Config, Mode};\nfn main() { h(Mode::Never, Config::new()) }\n",
        "use my_tool::{config::Config, mode::Mode};\nfn main() { h(Mode::Never, Config::new()) }\n",
    ),
    "tests/mode.rs": (
        "use my_tool::config::Mode;\nfn a(m: Mode) {}\n",
        "use my_tool::mode::Mode;\nfn a(m: Mode) {}\n",
    ),
}


def test_an_item_that_goes_to_a_module_of_its_own_is_followed_by_all() -> None:
    verdicts = judged(MOVED, MODERN)
    for path, verdict in verdicts.items():
        if path != "src/mode.rs":
            assert verdict.mutation_class is REFACTOR, (path, verdict.reasons)
    assert {"moved Mode to src/mode.rs", IMPORTS} < {*verdicts["src/config.rs"].reasons}
    assert verdicts["src/work.rs"].reasons == ("follows src/mode.rs",)
    assert verdicts["tests/mode.rs"].reasons == (IMPORTS,)


def test_without_the_repository_nothing_moves() -> None:
    found = classes(MOVED, Repository(MODERN, can_search=False))
    assert found["src/config.rs"] is EVOLUTION
    assert found["src/work.rs"] is EVOLUTION


RUN = 'fn run(a: u8) -> String {\n    step(a);\n    format!("{a}")\n}\n'
STEP = "fn step(a: u8) -> u8 {\n    fmt::step(a).into()\n}\n"
STAYS = "fn stay() -> u8 { step(1) }\n"
OTHER = "fn other() {}\n"
BOTH, NONE = ["AST_REFACTOR"] * 2, ["INTENT_EVOLUTION"] * 2
LIB = {
    **MODERN,
    "src/lib.rs": "mod a;\nmod b;\npub mod fmt;\nextern crate log as noted;\n",
    "src/fmt.rs": "pub fn step(a: u8) -> u8 { a }\n",
}


def _two(source: tuple[str, str], target: tuple[str | None, str], others: dict[str, str] | None = None) -> list[str]:
    """The classes where `src/a.rs` gives something to `src/b.rs`."""
    found = classes({"src/a.rs": source, "src/b.rs": target}, {**LIB, **(others or {})})
    return [found_class.name for found_class in found.values()]


def _step_moved(
    text: str = STEP, source: str = "", target: str = "", others: dict[str, str] | None = None
) -> list[str]:
    """The classes where `step` goes from one module to the other; both have more besides."""
    seen = text.replace("fn step", "pub(crate) fn step", 1)
    return _two(
        (f"use crate::fmt;\n{source}{text}{STAYS}", f"use crate::b::step;\n{source}{STAYS}"),
        (f"{target}{OTHER}", f"use crate::fmt;\n{target}{seen}{OTHER}"),
        others,
    )


def test_a_function_goes_to_a_module_that_has_more() -> None:
    assert _step_moved() == BOTH
    assert _step_moved(source="use std::fs;\n", target="use std::net;\n") == BOTH
    assert _step_moved(text=STEP.replace("fmt::step(a)", "fmt::step(noted!(a))")) == NONE


def test_two_that_call_each_other_go_together() -> None:
    source = (f"use crate::fmt;\n{RUN}{STEP}{STAYS}", f"use super::b::step;\n{STAYS}")
    assert _two(source, (OTHER, f"use super::fmt;\n{RUN}pub(super) {STEP}{OTHER}")) == BOTH
    left = (source[0].replace("fn stay", "fn again() { run(1) }\nfn stay"), source[1])
    assert _two(left, (OTHER, f"use super::fmt;\n{RUN}pub(super) {STEP}{OTHER}"))[0] == "INTENT_EVOLUTION"


def test_an_inner_module_goes_on_to_find_what_moved() -> None:
    inner = "#[cfg(test)]\nmod t {\n    use super::*;\n    fn g() { step(2) }\n}\n"
    assert _step_moved(source=inner) == BOTH
    assert (
        _two(
            (f"use crate::fmt;\n{STEP}{inner}", inner.replace("use super::*", "use crate::b::step")),
            (OTHER, f"use crate::fmt;\npub(crate) {STEP}{OTHER}"),
        )[0]
        == "INTENT_EVOLUTION"
    )  # what else `super` may bring is not asked


def test_a_use_in_the_edition_of_2015_begins_at_the_root() -> None:
    source = (f"use fmt;\nuse ::c::x;\n{STEP}{STAYS}", f"use b::step;\nuse ::c::x;\n{STAYS}")
    target = (OTHER, f"use fmt;\nuse log;\npub(crate) {STEP}{OTHER}")
    assert _two(source, target, OLD) == BOTH
    assert _two(source, target, {"src/c.rs": "pub fn x() {}\n", **OLD}) == BOTH
    assert _two(source, target) == NONE  # of 2021, where `fmt` is another crate, or does not compile
    nowhere = {"src/a.rs": source, "src/b.rs": target}
    rest = {path: text for path, text in LIB.items() if path != "Cargo.toml"}
    assert set(classes(nowhere, rest).values()) == {EVOLUTION}
    assert set(classes(nowhere, {**rest, "Cargo.toml": "[package]\nedition.workspace = true\n"}).values()) == {
        EVOLUTION
    }


@pytest.mark.parametrize(
    ("text", "source", "target", "others"),
    [
        pytest.param(STEP, "", "use std::fmt as step_by;\nfn fmt() {}\n", {}, id="a name means two things there"),
        pytest.param(STEP, "use std::io::Read;\n", "use crate::fmt::Write;\n", {}, id="other methods"),
        pytest.param(STEP, "", "trait Into { fn into(&self) -> u8; }\nuse crate::a::Kind;\n", {}, id="a trait there"),
        pytest.param(STEP.replace("fmt::step(a)", "file!()"), "", "", {}, id="it asks for its file"),
        pytest.param(STEP.replace("fmt::step(a)", "info!(a)"), "", "", {}, id="it writes into a log"),
        pytest.param(STEP.replace("fmt::step(a)", "type_name::<A>()"), "", "", {}, id="it asks for a type's place"),
        pytest.param(
            STEP.replace("fmt::step(a)", "super::step(a)"), "", "", {"src/lib.rs": "mod a;\n"}, id="no module"
        ),
        pytest.param("#[test]\n" + STEP, "", "", {}, id="a test"),
        pytest.param(
            "#[cfg(unix)]\n" + STEP, "", "", {"src/lib.rs": '#[path = "c.rs"]\nmod a;\nmod b;\n'}, id="a path"
        ),
        pytest.param(
            STEP, "", "", {"src/c.rs": "use crate::a::step;\nfn f() { step(1) }\n"}, id="one still asks there"
        ),
        pytest.param(STEP, "", "", {"src/c.rs": "fn f() { crate::a::step(1) }\n"}, id="one still says the path"),
        pytest.param(STEP, "", "", {"src/c.rs": "fn f( {{{ step\n"}, id="what does not parse"),
        pytest.param(
            STEP.replace("fmt::step(a)", "made!(a)"),
            "",
            "",
            {"src/m.rs": "macro_rules! made {\n (a) => { module_path!() };\n}\n"},
            id="a macro that asks where",
        ),
        pytest.param(
            STEP.replace("fmt::step(a)", "made!(a)"),
            "",
            "",
            {"src/m.rs": "macro_rules! made { (a) => { 1 } }\n", "src/n.rs": "macro_rules! made { (a) => { 2 } }\n"},
            id="two macros",
        ),
        pytest.param(
            STEP.replace("{\n", "{\n    use self::c;\n"),
            "fn c() {}\n",
            "fn c() {}\n",
            {},
            id="an import of its own, from there",
        ),
    ],
)
def test_what_may_mean_something_else_stays(text: str, source: str, target: str, others: dict[str, str]) -> None:
    assert _step_moved(text, source, target, others) == NONE


def test_a_macro_of_the_repository_is_one_anywhere() -> None:
    text = STEP.replace("fmt::step(a)", "made!(fmt::step(a))")
    assert _step_moved(text, others={"src/m.rs": "macro_rules! made { ($a:expr) => { $a } }\n"}) == BOTH


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(MODE.replace("Never", "Maybe") + DEFAULT, id="it is another one"),
        pytest.param("#[cfg(unix)]\n" + MODE + DEFAULT, id="only for one system"),
        pytest.param(MODE.replace("pub ", "pub(crate) ") + DEFAULT, id="seen by fewer"),
        pytest.param("#[derive(Debug)]\n" + MODE + DEFAULT, id="it has more"),
        pytest.param("mod inner {\n" + MODE + DEFAULT + "}\npub use inner::Mode;\n", id="further down"),
    ],
)
def test_an_item_that_is_not_the_same_did_not_move(text: str) -> None:
    found = classes({**MOVED, "src/mode.rs": (None, text)}, MODERN)
    assert {found["src/config.rs"], found["src/lib.rs"]} == {EVOLUTION}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        pytest.param(
            "src/work.rs", "use crate::mode::Mode;\nfn g(a: Config) -> bool { h(Mode::Never, a) }\n", id="use"
        ),
        pytest.param(
            "src/lib.rs", "pub mod config;\npub mod mode;\nmod work;\npub use mode::Mode as Kind;\n", id="name"
        ),
        pytest.param("src/lib.rs", "pub mod config;\npub mod mode;\nmod work;\npub use mode::*;\n", id="all names"),
        pytest.param("src/lib.rs", "pub mod config;\n#[x]\npub mod mode;\nmod work;\npub use mode::Mode;\n", id="mark"),
        pytest.param("src/mode.rs", MODE + DEFAULT + "impl Drop for Mode { fn drop(&mut self) { g() } }\n", id="more"),
        pytest.param("src/mode.rs", MODE + DEFAULT + "pub use std::fmt;\n", id="it hands on something"),
        pytest.param(
            "src/config.rs", f"use crate::mode::Mode;\nuse std::fmt;\n{CONFIG}fn f(a: Mode) {{}}\n", id="rest"
        ),
        pytest.param(
            "src/config.rs",
            f"use crate::mode::Mode;\nuse std::io as fmt;\n{CONFIG}fn f(a: fmt::Error) {{}}\n",
            id="import",
        ),
        pytest.param(
            "src/config.rs",
            f"pub use crate::mode::Mode;\npub use std::fmt;\n{CONFIG}fn f(a: fmt::Error) {{}}\n",
            id="export",
        ),
    ],
)
def test_a_file_that_does_more_is_behaviour(path: str, text: str) -> None:
    judged_at = "src/lib.rs" if path == "src/mode.rs" else path
    found = classes({**MOVED, path: (MOVED[path][0], text)}, MODERN)
    assert found[judged_at] is EVOLUTION


def test_the_old_module_may_go_on_to_hand_it_out() -> None:
    kept = f"pub use crate::mode::Mode;\nuse std::fmt;\n{CONFIG}fn f(a: fmt::Error) {{}}\n"
    work = "use crate::config::*;\nfn g() -> bool { h(Mode::Always) }\n"
    found = classes(
        {
            "src/lib.rs": MOVED["src/lib.rs"],
            "src/mode.rs": MOVED["src/mode.rs"],
            "src/config.rs": (MOVED["src/config.rs"][0], kept),
        },
        {**MODERN, "src/work.rs": work},
    )
    assert found["src/config.rs"] is REFACTOR


def test_conditions_go_with_it() -> None:
    cfg = '#[cfg(feature = "m")]\n'
    changed: Versions = {
        "src/lib.rs": (
            f"pub mod config;\n{cfg}pub use config::Mode;\n",
            f"pub mod config;\n{cfg}pub mod mode;\n{cfg}pub use mode::Mode;\n",
        ),
        "src/config.rs": (f"{cfg}{MODE}{cfg}{DEFAULT}{CONFIG}", f"{cfg}use crate::mode::Mode;\n{CONFIG}"),
        "src/mode.rs": (None, MODE + DEFAULT),
    }
    found = classes(changed, MODERN)
    assert {found["src/lib.rs"], found["src/config.rs"]} == {REFACTOR}
    before, after = changed["src/lib.rs"]
    elsewhere = {**changed, "src/lib.rs": (before, (after or "").replace('"m"', '"n"'))}
    assert classes(elsewhere, MODERN)["src/config.rs"] is EVOLUTION


def test_a_module_that_gave_away_all_is_gone() -> None:
    changed: Versions = {
        "src/lib.rs": ("mod mode;\nmod work;\npub use mode::Mode;\n", "mod work;\npub use work::Mode;\n"),
        "src/mode.rs": (MODE, None),
        "src/work.rs": ("use crate::mode::Mode;\nfn f(a: Mode) {}\n", f"{MODE}fn f(a: Mode) {{}}\n"),
    }
    found = classes(changed, MODERN)
    assert {found["src/lib.rs"], found["src/work.rs"]} == {REFACTOR}
    more = {**changed, "src/mode.rs": (MODE + OTHER, None)}
    assert classes(more, MODERN)["src/lib.rs"] is EVOLUTION


def test_who_needs_nothing_of_what_moved_is_judged_as_ever() -> None:
    changed: Versions = {
        **MOVED,
        "src/idle.rs": ("use std::fs;\nfn f() {}\n", "fn f() {}\n"),
        "src/more.rs": ("use std::fs;\nfn f() {}\n", "use std::fs;\nmod t {}\nfn f() {}\n"),
        "src/lost.rs": ("use self::no::A;\nfn f() {}\n", "use self::no::B;\nfn f() {}\n"),
        "src/steps.py": ("a = 1\n", "a = 1  # why\n"),
    }
    verdicts = judged(changed, MODERN)
    assert verdicts["src/idle.rs"].reasons == ("unused imports",)
    assert verdicts["src/more.rs"].mutation_class is EVOLUTION
    assert verdicts["src/lost.rs"].mutation_class is EVOLUTION
    assert verdicts["src/config.rs"].mutation_class is REFACTOR


def test_a_module_within_that_can_not_find_it_is_asked_too() -> None:
    inner = "mod t {\n    use super::super::b::*;\n    fn g() { step(2) }\n}\n"
    source = (f"use crate::fmt;\n{STEP}{inner}{STAYS}", f"use crate::b::step;\n{inner}{STAYS}")
    target = (OTHER, f"use crate::fmt;\npub(crate) {STEP}{OTHER}")
    assert _two(source, target)[0] == "INTENT_EVOLUTION"  # `step` was nothing there


def test_a_path_of_a_type_goes_on_after_its_arguments() -> None:
    text = STEP.replace("fmt::step(a)", "<u8 as fmt::Kind>::a::<u8>(a).b::<fmt::A>()")
    assert _step_moved(text) == BOTH


def test_a_condition_that_is_lost_on_the_way_is_behaviour() -> None:
    source = (f"use crate::fmt;\n#[cfg(unix)]\n{STEP}{STAYS}", f"use crate::b::step;\n{STAYS}")
    assert _two(source, (OTHER, f"use crate::fmt;\npub(crate) {STEP}{OTHER}")) == NONE
    assert _two(source, (OTHER, f"use crate::fmt;\n#[cfg(unix)]\npub(crate) {STEP}{OTHER}")) == BOTH


def test_so_is_one_that_what_a_type_has_loses() -> None:
    has = "impl A {\n    fn f() {}\n}\n"
    source = (
        f"use crate::fmt;\npub struct A;\n{STEP}#[cfg(unix)]\n{has}{STAYS}",
        f"use crate::b::step;\npub struct A;\n{STAYS}",
    )
    came = f"use crate::a::A;\nuse crate::fmt;\npub(crate) {STEP}"
    assert _two(source, (OTHER, f"{came}{has}{OTHER}")) == NONE
    assert _two(source, (OTHER, f"{came}#[cfg(unix)]\n{has}{OTHER}")) == BOTH
