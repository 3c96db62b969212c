"""What stands at a cursor in YAML that somebody is typing, parse or not."""

from __future__ import annotations

import pytest

from intentls.store.yaml.cursor import YamlCursor, cursor_at, sibling_keys

HEAD = "active_intents:\n  - id: A\n"
KEY = ("active_intents", 0)
STATUS = (*KEY, "status")
GLOB = (*KEY, "owned_scope", 0)


def at(marked: str) -> YamlCursor | None:
    before, _, after = marked.partition("\N{SECTION SIGN}")
    return cursor_at(before + after, len(before))


def siblings(marked: str, *, flow: bool = False) -> frozenset[str]:
    before, _, after = marked.partition("\N{SECTION SIGN}")
    return sibling_keys(before + after, len(before), flow=flow)


@pytest.mark.parametrize(
    ("marked", "path", "typed"),
    [
        ("§", (), ""),
        ("active_intents:\n  - §", KEY, ""),
        (f"{HEAD}    status: IN§", STATUS, "IN"),
        (f"{HEAD}    status: §\n    name: x\n  - id: B\n", STATUS, ""),
        (f'{HEAD}    owned_scope: ["src/§', GLOB, "src/"),
        (f'{HEAD}    owned_scope: ["src/§"]\n    name: x\n', GLOB, "src/"),
        (f"{HEAD}    owned_scope: ['a', '!src/§", (*GLOB[:-1], 1), "!src/"),
        (f"{HEAD}    owned_scope: [§", GLOB, ""),
        (f"{HEAD}    owned_scope: [!src/§", GLOB, "!src/"),
        (f"{HEAD}    owned_scope:\n      - src/§", GLOB, "src/"),
        (f"{HEAD}    owned_scope:\n      - !src/§", GLOB, "!src/"),
        (f"{HEAD}    owned_scope:\n    - §", GLOB, ""),
        (f'{HEAD}    owned_scope: [\n      "a",\n      "src/§\n', (*GLOB[:-1], 1), "src/"),
        ('{"active_intents": [{"id": "A", "status": "§', STATUS, ""),
        (f'{HEAD}    owned_scope: ["s\U0001f600/§', GLOB, "s\U0001f600/"),
    ],
)
def test_the_value_at_the_cursor_is_found(marked: str, path: tuple[object, ...], typed: str) -> None:
    """Its path, and what is typed of it: block and flow, with and without quotes, exclusions too."""
    found = at(marked)
    assert found is not None
    assert (found.path, found.is_key, found.typed) == (path, False, typed)
    assert marked[found.start :].startswith(f"{typed}§")


@pytest.mark.parametrize(
    ("marked", "path", "keys"),
    [
        (f"{HEAD}    §", KEY, ("id",)),
        (f"{HEAD}    §\n    name: x\n", KEY, ("id",)),
        ("active_intents: [{id: A, §", KEY, ("id",)),
        ('active_intents: [{"id": "A", "§', KEY, ("id",)),
        (f"{HEAD.replace(chr(10), chr(13) + chr(10))}    §\r\n", KEY, ("id",)),
        ("mode: x\n§", (), ("mode",)),
    ],
)
def test_a_key_at_the_cursor_is_found(marked: str, path: tuple[object, ...], keys: tuple[str, ...]) -> None:
    """The mapping that it is for, and the keys that stand before it."""
    found = at(marked)
    assert found is not None
    assert (found.path, found.is_key, found.keys) == (path, True, keys)


@pytest.mark.parametrize(
    "broken",
    [
        'active_intents:\n  - id: B\n    owned_scope: ["x\n',
        "active_intents:\n  - id: B\n    name: a: b\n",
        "active_intents:\n  - id: B\n    oops\n",
    ],
)
def test_what_is_broken_further_up_does_not_matter(broken: str) -> None:
    """An unclosed bracket or a half-written line in another intent leaves this one readable."""
    found = at(f'{broken}  - id: A\n    owned_scope: ["src/§')
    assert found is not None
    assert (found.path[-2:], found.typed) == (("owned_scope", 0), "src/")


def test_what_is_broken_in_the_same_intent_does_not_matter() -> None:
    """Only the lines that the cursor is nested in count then."""
    found = at(f"{HEAD}    name: a: b\n    owned_scope:\n    # note\n    - 'src/§")
    assert found is not None
    assert (found.path, found.typed) == (GLOB, "src/")


def test_a_long_text_is_read_from_the_entry_around_the_cursor() -> None:
    """So that a keystroke at the end of a large file costs as much as one in a small file."""
    found = at("active_intents:\n" + "  - id: X\n    name: y\n" * 15_000 + "  - id: A\n    status: §")
    assert found is not None
    assert found.path == STATUS


@pytest.mark.parametrize("marked", ["# a §", f"{HEAD}    description: |\n      some §", f"{HEAD}    name: x # st§"])
def test_comments_and_block_texts_are_left_alone(marked: str) -> None:
    """There is nothing to complete in free text."""
    assert at(marked) is None


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_start_of_a_line_behind_something_broken_is_read_too(end: str) -> None:
    """Where no entry and no parent is found, there is an answer all the same."""
    found = at(f"a: b: c{end}§")
    assert found is not None
    assert found.path == ()


@pytest.mark.parametrize("odd", ["\0", "\ud83d", "\x0c"])
def test_what_yaml_can_not_hold_is_passed_over(odd: str) -> None:
    """A control character or half an emoji further up stops nobody from going on."""
    found = at(f"active_intents:\n  - id: A{odd}\n    status: DO§")
    assert found is not None
    assert (found.path, found.typed) == (STATUS, "DO")


def test_keys_above_and_below_are_siblings() -> None:
    """Those of the same intent, and of no other, also where the file does not parse."""
    text = "  - id: A\n    name: [\n    §\n    # note\n\n    constraints:\n      - x: y\n    agent: b\n"
    assert siblings(f"active_intents:\n{text}  - id: B\n    status: x\n") == {"id", "name", "constraints", "agent"}
    assert siblings("a: 1\n§\nb: 2\n") == {"a", "b"}
    assert siblings("  - §: A\n    name: x\n  - id: B\n") == {"name"}
    assert siblings('[{id: A, §, "name": x}, {id: B, agent: z}]', flow=True) == {"name"}
