"""Functions of a type of Rust that nothing uses, and those that something may."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION
REST = "    pub fn name(&self) -> u32 { self.a }\n"


def _file(members: str, head: str = "impl Town") -> str:
    return f"pub struct Town {{ a: u32 }}\n\n{head} {{\n{members}{REST}}}\n"


GONE = {
    "a private one": ("    fn size(&self) -> u32 { self.a + 1 }\n", "impl Town"),
    "one of the crate": ("    pub(crate) fn size(&self) -> u32 { self.a + 1 }\n", "impl Town"),
    "one of a type with a parameter": ("    fn size(&self) -> u32 { self.a + 1 }\n", "impl<T> Town<T>"),
    "two, of which one uses the other": (
        "    fn size(&self) -> u32 { self.half() }\n    fn half(&self) -> u32 { 1 }\n",
        "impl Town",
    ),
}
KEPT = {
    "one that others see": ("    pub fn size(&self) -> u32 { self.a + 1 }\n", "impl Town"),
    "one of a trait": ("    fn size(&self) -> u32 { self.a + 1 }\n", "impl Sized for Town"),
    "one with an attribute": ("    #[export]\n    fn size(&self) -> u32 { self.a + 1 }\n", "impl Town"),
    "one of what an attribute reads": ("    fn size(&self) -> u32 { self.a + 1 }\n", "#[pymethods]\nimpl Town"),
    "one that is used": (
        "    fn size(&self) -> u32 { self.a + 1 }\n",
        "fn f(a: Town) -> u32 { a.size() }\n\nimpl Town",
    ),
    "one of a trait itself": ("    fn size(&self) -> u32 { 1 }\n", "trait Town2"),
}


@pytest.mark.parametrize("name", GONE)
def test_a_function_of_a_type_that_no_one_calls_may_go(name: str) -> None:
    members, head = GONE[name]
    verdict = judged({"src/town.rs": (_file(members, head), _file("", head))}, {"src/lib.rs": "mod town;\n"})
    assert verdict["src/town.rs"].mutation_class is REFACTOR, verdict["src/town.rs"].reasons
    assert "unused private definitions" in verdict["src/town.rs"].reasons


@pytest.mark.parametrize("name", KEPT)
def test_a_function_that_someone_may_call_stays(name: str) -> None:
    members, head = KEPT[name]
    verdict = judged({"src/town.rs": (_file(members, head), _file("", head))}, {"src/lib.rs": "mod town;\n"})
    assert verdict["src/town.rs"].mutation_class is EVOLUTION


@pytest.mark.parametrize("text", ["fn f(a: &Town) { a.size(); }\n", 'const A: &str = "size";\n'])
def test_another_file_may_have_the_name(text: str) -> None:
    members = "    pub(crate) fn size(&self) -> u32 { self.a + 1 }\n"
    verdict = judged({"src/town.rs": (_file(members), _file(""))}, {"src/b.rs": text})["src/town.rs"]
    assert verdict.mutation_class is EVOLUTION
