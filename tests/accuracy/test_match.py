"""Definitions that were reformatted, renamed, moved, edited or deleted: which is which, and which is lost."""

from __future__ import annotations

from accuracy.match import LocatedDefinition, follow
from hypothesis import given, settings
from hypothesis import strategies as st

from intentls.core.definitions.find import definitions_in
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


def located(**files: str) -> list[LocatedDefinition]:
    """`a="..."` is the file a.py."""
    return [
        LocatedDefinition(f"{name}.py", each)
        for name, content in files.items()
        for each in definitions_in(f"{name}.py", content.encode(), NodeBudget(10_000_000))
    ]


def followed(old: list[LocatedDefinition], new: list[LocatedDefinition]) -> dict[str, str]:
    """The same by path and name."""

    def name(one: LocatedDefinition) -> str:
        return f"{one.path.removesuffix('.py')}:{one.definition.name}"

    return {name(old[i]): name(new[j]) for i, j in follow(old, new).items()}


def small(name: str, value: object = 1) -> str:
    return SMALL.format(name=name, value=value)


def indented(*parts: str) -> str:
    return "".join(f"    {line}\n" for part in parts for line in part.splitlines())


def test_what_stayed_is_found_where_it_was() -> None:
    """Also when its names changed inside, or most of its statements did not."""
    before = located(a=LARGE.format(name="f") + OTHER.format(name="g") + small("h"))
    after = located(
        a="# new\n"
        + LARGE.format(name="f").replace("parts", "pieces")
        + OTHER.format(name="g").replace(".value", "")
        + small("h", 2)
    )
    assert followed(before, after) == {"a:f": "a:f", "a:g": "a:g", "a:h": "a:h"}


def test_a_definition_is_found_in_another_file() -> None:
    """By its content, however small, if its name is the same; else only if it is no trifle."""
    before = located(a=LARGE.format(name="f") + small("tiny", 7) + small("mite", 8))
    after = located(b=small("tiny", 7), c=LARGE.format(name="f"), d=small("other", 8))
    assert followed(before, after) == {"a:f": "c:f", "a:tiny": "b:tiny"}


def test_a_renamed_definition_is_found_by_its_body_or_its_shape() -> None:
    """In its file, and a large one anywhere."""
    before = located(a=LARGE.format(name="f") + OTHER.format(name="g"))
    moved = LARGE.format(name="cut").replace("parts", "pieces").replace("limit", "most").replace("found", "kept")
    assert followed(before, located(b=moved, c=OTHER.format(name="walk"))) == {"a:f": "b:cut", "a:g": "c:walk"}


def test_a_definition_that_was_renamed_moved_and_edited_is_found_by_its_statements() -> None:
    """If most are the same."""
    before = located(a=LARGE.format(name="f"))
    after = located(b=LARGE.format(name="cut").replace("key=len", "key=str.lower"), c=OTHER.format(name="walk"))
    assert followed(before, after) == {"a:f": "b:cut"}


def test_a_deleted_definition_is_nobody_else() -> None:
    """Neither a new one in its place nor a small one of the same content takes its history."""
    before = located(a=LARGE.format(name="f") + small("g"))
    after = located(a=OTHER.format(name="walk"), b=small("h"))
    assert followed(before, after) == {}


def test_one_of_two_that_are_alike_is_lost_rather_than_guessed() -> None:
    """Nobody can tell which of them is left."""
    before = located(a=LARGE.format(name="f"), b=LARGE.format(name="f"))
    assert followed(before, located(c=LARGE.format(name="f"))) == {}
    once = LARGE.format(name="f").replace("tuple", "list")
    twice = located(a=LARGE.format(name="x"), b=LARGE.format(name="y"))
    assert followed(located(c=once.replace("def f", "def z").replace("parts = ", "q = ")), twice) == {}


def test_equal_ones_of_one_name_are_told_apart_by_their_order() -> None:
    """A getter and its setter, overloads, one definition a platform."""
    before = located(a=small("f") + small("f") + small("f", 2))
    after = located(a=small("f", 2) + small("f") + small("f"))
    assert follow(before, after) == {0: 1, 1: 2, 2: 0}


def test_members_follow_their_class() -> None:
    """However small they are: the class was renamed, and each has changed."""
    members = [small(f"m{n}", n) for n in range(4)]
    before = located(a="class A:\n" + indented(*members, LARGE.format(name="big"), "def tiny(): return self.a\n"))
    after = located(b="class B:\n" + indented(*members, LARGE.format(name="big"), "def tiny(): return [self.b, 1]\n"))
    expected = {f"a:A.m{n}": f"b:B.m{n}" for n in range(4)}
    assert followed(before, after) == {"a:A": "b:B", "a:A.big": "b:B.big", "a:A.tiny": "b:B.tiny", **expected}


def test_a_class_follows_its_members() -> None:
    """Where most of them went, if most of those there come from it."""
    large = [LARGE.format(name=f"m{n}").replace('","', f'"{n}"') for n in range(3)]
    before = located(a="class A:\n" + indented(*large))
    after = located(b="class B:\n" + indented(*large, *(OTHER.format(name=f"n{n}") for n in range(2))))
    assert followed(before, after)["a:A"] == "b:B"
    crowd = located(b="class B:\n" + indented(*large, *(OTHER.format(name=f"n{n}") for n in range(9))))
    outside = located(b="class B:\n" + indented(*(OTHER.format(name=f"n{n}") for n in range(4))), c="".join(large))
    assert followed(before, crowd)["a:A"] == "b:B"
    assert "a:A" not in followed(before, outside)


def test_a_small_one_is_found_between_neighbours_that_were_found() -> None:
    """By its shape, or else by its statements, if it has some in common."""
    around = LARGE.format(name="f"), OTHER.format(name="g")
    before = located(a=around[0] + small("x") + small("y") + around[1])
    after = located(a=around[0] + small("p") + small("q") + around[1])
    assert followed(before, after) == {"a:f": "a:f", "a:x": "a:p", "a:y": "a:q", "a:g": "a:g"}
    before = located(a=around[0] + "def x(a):\n    b(a)\n    d()\n    return c\n" + around[1])
    after = located(a=around[0] + "def y(a, d):\n    b(a)\n    d()\n    return d\n" + around[1])
    assert followed(before, after)["a:x"] == "a:y"


def test_what_is_as_near_to_two_is_neither() -> None:
    """Two that have the same statements in common with it."""
    before = located(a=LARGE.format(name="f"))
    after = located(
        b=LARGE.format(name="g").replace("key=len", "key=str"), c=LARGE.format(name="h").replace("key=len", "key=id")
    )
    assert followed(before, after) == {}


def test_a_statement_that_is_everywhere_says_nothing() -> None:
    """Or trifles that share their only lines would be one another."""
    common = "def {name}(self):\n    self.a()\n    self.b()\n    self.c()\n    return {value}\n"
    after = located(b="".join(common.format(name=f"n{n}", value=f"x{n}.y(1, 2, 3)") for n in range(30)))
    assert followed(located(a=common.format(name="f", value="1")), after) == {}


def test_what_follows_from_what_is_only_asked_so_often() -> None:
    """So that hostile nesting costs no more than other sources: the innermost of fifty are lost."""

    def nest(value: str) -> str:
        inner = "".join(f"{' ' * n}def f{n}():\n{' ' * n} a({value}{n})\n" for n in range(1, 49))
        return LARGE.format(name="f") + indented(inner)

    found = follow(located(a=nest("x.y(1) +")), located(b=nest("(lambda: 2) or ")))
    assert 10 < len(found) < 45


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_the_order_of_files_decides_nothing_and_nothing_is_found_twice(data: st.DataObject) -> None:
    """Random files of few definitions: one-to-one, the same both ways round, and all of what did not change."""
    names = st.sampled_from("fgh")
    one = st.one_of(
        st.builds(lambda n: LARGE.format(name=n), names),
        st.builds(lambda n: OTHER.format(name=n), names),
        st.builds(small, names, st.integers(0, 2)),
    )
    content = st.lists(one, max_size=4).map("".join)
    before = {name: data.draw(content) for name in "ab"}
    after = {name: data.draw(content) for name in "bc"}
    old, new = located(**before), located(**after)
    found = follow(old, new)
    assert len(set(found.values())) == len(found)
    assert follow(old, old) == {n: n for n in range(len(old))}
    turned = located(**dict(reversed(after.items())))
    assert {i: new[j] for i, j in found.items()} == {i: turned[j] for i, j in follow(old, turned).items()}


def test_the_work_grows_with_the_definitions() -> None:
    """Also when all have the same statements, or one name."""

    def pair(count: int) -> tuple[list[LocatedDefinition], list[LocatedDefinition]]:
        old = located(a="".join(LARGE.format(name=f"f{n}") for n in range(count)))
        return old, located(b="".join(LARGE.format(name="g") for n in range(count)))

    sizes = {count: pair(count) for count in (100, 400)}
    assert_linear(lambda count: follow(*sizes[count]), 100)
