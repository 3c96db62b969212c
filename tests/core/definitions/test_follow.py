"""Definitions that were reformatted, renamed, moved, edited or deleted: which is which, and which is lost."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from intentls.core.definitions.definition import Definition
from intentls.core.definitions.find import definitions_in
from intentls.core.definitions.follow import follow
from intentls.core.syntax.canonicalize import NodeBudget
from tests.support.cost_growth import assert_linear

LARGE = """\
def {name}(text, limit):
    parts = text.split(",")
    found = [part.strip() for part in parts if part][:limit]
    if not found:
        raise ValueError("nothing in " + text)
    return tuple(sorted(found, key=len))
"""
OTHER = """\
def {name}(root):
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node.value
        waiting.extend(node.children)
"""
SMALL = "def {name}():\n    return {value}\n"


def found_in(content: str) -> tuple[Definition, ...]:
    return definitions_in("a.py", content.encode(), NodeBudget(10_000_000))


def followed(before: str, after: str) -> dict[str, str]:
    """Each old name that is found again, and the new one."""
    old, new = found_in(before), found_in(after)
    return {old[i].name: new[j].name for i, j in follow(old, new).items()}


def small(name: str, value: object = 1) -> str:
    return SMALL.format(name=name, value=value)


def indented(*parts: str) -> str:
    return "".join(f"    {line}\n" for part in parts for line in part.splitlines())


def test_what_stayed_is_found_where_it_was() -> None:
    """Also when its names changed inside, or most of its statements did not."""
    before = LARGE.format(name="f") + OTHER.format(name="g") + small("h")
    after = (
        "# new\n"
        + LARGE.format(name="f").replace("parts", "pieces")
        + OTHER.format(name="g").replace(".value", "")
        + small("h", 2)
    )
    assert followed(before, after) == {"f": "f", "g": "g", "h": "h"}


def test_a_definition_is_found_in_another_class() -> None:
    """By its content, if it is no trifle; by its last name and its shape, however small."""
    before = "class A:\n" + indented(LARGE.format(name="f"), small("tiny", 7), small("mite", 8))
    large, tiny, kept = LARGE.format(name="f"), small("tiny", 7), OTHER.format(name="z")
    after = large + "class B:\n" + indented(tiny, kept, OTHER.format(name="w"), small("other", 8))
    assert followed(before + "class B:\n" + indented(kept), after) == {
        "A.f": "f", "A.tiny": "B.tiny", "B": "B", "B.z": "B.z",
    }  # fmt: skip


def test_a_renamed_definition_is_found_by_its_body_or_its_shape() -> None:
    before = LARGE.format(name="f") + OTHER.format(name="g")
    cut = LARGE.format(name="cut").replace("parts", "pieces").replace("limit", "most").replace("found", "kept")
    assert followed(before, OTHER.format(name="walk") + cut) == {"f": "cut", "g": "walk"}


def test_a_definition_that_was_renamed_and_edited_is_found_by_its_statements() -> None:
    """If most are the same."""
    after = OTHER.format(name="walk") + LARGE.format(name="cut").replace("key=len", "key=str.lower")
    assert followed(LARGE.format(name="f"), after) == {"f": "cut"}


def test_a_deleted_definition_is_nobody_else() -> None:
    """Neither a new one in its place nor a small one of the same content elsewhere takes its history."""
    before = LARGE.format(name="f") + small("g")
    assert followed(before, OTHER.format(name="walk") + "class A:\n" + indented(small("h"))) == {}


def test_a_definition_that_was_rewritten_under_its_name_is_the_same() -> None:
    """Not if there are two of that name."""
    assert followed(LARGE.format(name="f"), OTHER.format(name="f")) == {"f": "f"}
    assert followed(LARGE.format(name="f"), OTHER.format(name="f") + small("f")) == {}


def test_the_whole_text_tells_more_than_the_name_and_some_statements() -> None:
    """`visit` of one class went away, and that of the other one took its place in it."""
    other = LARGE.replace("sorted(found, key=len)", "found[1:]")
    gone, came = indented(LARGE.format(name="visit")), indented(other.format(name="visit"))
    before = f"class A:\n{gone}class B:\n{came}    b = 1\n"
    after = f"class A:\n{came}class B:\n    b = 1\n"
    assert followed(before, after)["B.visit"] == "A.visit"
    assert "A.visit" not in followed(before, after)


def test_one_of_two_that_are_alike_is_lost_rather_than_guessed() -> None:
    """Nobody can tell which of them is left."""
    before = LARGE.format(name="f") + LARGE.format(name="g")
    assert followed(before, LARGE.format(name="h")) == {}
    once = LARGE.format(name="z").replace("tuple", "list").replace("parts = ", "q = ")
    assert followed(once, LARGE.format(name="x") + LARGE.format(name="y")) == {}


def test_equal_ones_of_one_name_are_told_apart_by_their_order() -> None:
    """A getter and its setter, overloads, one definition a platform."""
    before = found_in(small("f") + small("f") + small("f", 2))
    after = found_in(small("f", 2) + small("f") + small("f"))
    assert follow(before, after) == {0: 1, 1: 2, 2: 0}


def test_members_follow_their_class() -> None:
    """However small they are: the class was renamed, and each has changed."""
    members = [small(f"m{n}", n) for n in range(4)]
    before = "class A:\n" + indented(*members, LARGE.format(name="big"), "def tiny(): return self.a\n")
    after = "class B:\n" + indented(*members, LARGE.format(name="big"), "def tiny(): return [self.b, 1]\n")
    expected = {f"A.m{n}": f"B.m{n}" for n in range(4)}
    assert followed(before, after) == {"A": "B", "A.big": "B.big", "A.tiny": "B.tiny", **expected}


def test_a_class_follows_its_members() -> None:
    """Where most of them went, if most of those there come from it."""
    large = [LARGE.format(name=f"m{n}").replace('","', f'"{n}"') for n in range(3)]
    before = "class A:\n" + indented(*large)
    after = "class B:\n" + indented(*large, *(OTHER.format(name=f"n{n}") for n in range(2)))
    assert followed(before, after)["A"] == "B"
    crowd = "class B:\n" + indented(*large, *(OTHER.format(name=f"n{n}") for n in range(9)))
    outside = "class B:\n" + indented(*(OTHER.format(name=f"n{n}") for n in range(4))) + "".join(large)
    assert followed(before, crowd)["A"] == "B"
    assert "A" not in followed(before, outside)


def test_a_small_one_is_found_between_neighbours_that_were_found() -> None:
    """By its shape, or else by its statements, if it has some in common."""
    around = LARGE.format(name="f"), OTHER.format(name="g")
    before = around[0] + small("x") + small("y") + around[1]
    after = around[0] + small("p") + small("q") + around[1]
    assert followed(before, after) == {"f": "f", "x": "p", "y": "q", "g": "g"}
    after = around[0] + small("p") + small("q", "other()") + around[1]
    assert followed(around[0] + small("x", "tiny()") + around[1], after) == {"f": "f", "g": "g"}
    before = around[0] + "def x(a):\n    b(a)\n    d()\n    e()\n    f()\n    return c\n" + around[1]
    after = around[0] + "def y(a, d):\n    b(a)\n    d()\n    e()\n    g()\n    return d\n" + around[1]
    assert followed(before, after)["x"] == "y"
    assert "x" not in followed(before, after.replace("    e()\n", ""))


def test_what_is_as_near_to_two_is_neither() -> None:
    """Two that have the same statements in common with it."""
    after = LARGE.format(name="g").replace("key=len", "key=str") + LARGE.format(name="h").replace("key=len", "key=id")
    assert followed(LARGE.format(name="f"), after) == {}


def test_a_statement_that_is_everywhere_says_nothing() -> None:
    """Or trifles that share their only lines would be one another."""
    common = "def {name}(self):\n    self.a()\n    self.b()\n    self.c()\n    return {value}\n"
    after = "".join(common.format(name=f"n{n}", value=f"x{n}.y(1, 2, 3)") for n in range(30))
    assert followed(common.format(name="f", value="1"), after) == {}


def test_what_follows_from_what_is_only_asked_so_often() -> None:
    """So that hostile nesting costs no more than other sources: the innermost of fifty are lost."""

    def nest(name: str, value: str) -> str:
        inner = "".join(f"{' ' * n}def f{n}():\n{' ' * n} a({value}{n})\n" for n in range(1, 49))
        return LARGE.format(name=name) + indented(inner)

    found = followed(nest("f", "x.y(1) +"), nest("g", "(lambda: 2) or "))
    assert 1 < len(found) < 45


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_nothing_is_found_twice_and_all_that_did_not_change_is_found(data: st.DataObject) -> None:
    names = st.sampled_from("fgh")
    one = st.one_of(
        st.builds(lambda n: LARGE.format(name=n), names),
        st.builds(lambda n: OTHER.format(name=n), names),
        st.builds(small, names, st.integers(0, 2)),
    )
    content = st.lists(one, max_size=4).map("".join)
    old, new = found_in(data.draw(content)), found_in(data.draw(content))
    found = follow(old, new)
    assert len(set(found.values())) == len(found)
    assert follow(old, old) == {n: n for n in range(len(old))}


def test_the_work_grows_with_the_definitions() -> None:
    """Also when all have the same statements, or one name."""

    def pair(count: int) -> tuple[tuple[Definition, ...], tuple[Definition, ...]]:
        old = found_in("".join(LARGE.format(name=f"f{n}") for n in range(count)))
        return old, found_in("".join(LARGE.format(name="g") for n in range(count)))

    sizes = {count: pair(count) for count in (100, 400)}
    assert_linear(lambda count: follow(*sizes[count]), 100)
