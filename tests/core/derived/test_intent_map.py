"""intent_map.md: sorted, without repetitions, and nobody's own words are lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intentls.core.derived.intent_map import HEADER, MapSection, add_files, parse, rebuild, remove_files, rename
from intentls.core.derived.lesson import path_line

CONTRACT = """\
# Intent Map

Maps business intents to files. Updated when INTENT_EVOLUTION occurs.

## INT-001: Build Weather API

- `src/api/weather.py`
"""
HAND_WRITTEN = """\
Our map. Ask **Ada** before you touch it.

# Intent Map

## How to read this
- `this` is a bullet of mine

## INT-001: Build Weather API

The heart of it all.

- `src/api/b.py` — the client
  handle with care
* `src/api/z.py`

Below the list.

```
## INT-001: an example
- `not/an/entry.py`
```

# Appendix

- `src/api/a.py`
"""
IDS = st.sampled_from(["INT-001", "INT-002", "A:B", "x:", "#"])
PATHS = st.sampled_from(["src/a.py", "src/b.py", "a`b", "``", "`x", "é ü.py", "a - b", "-"]) | st.text(
    st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), min_size=1, max_size=8
).filter(lambda path: bool(path_line(path)))
EDITS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), IDS, PATHS),
        st.tuples(st.just("remove"), PATHS, PATHS),
        st.tuples(st.just("rename"), PATHS, PATHS),
    ),
    max_size=12,
)


def add_all(text: str | None, *entries: tuple[str, str, str]) -> str:
    """The map after some files were added."""
    for intent_id, name, path in entries:
        text = add_files(text, intent_id, name, [path])
    return text or ""


def test_a_new_map_looks_as_in_the_contract() -> None:
    """Title, sentence, section, entry; also where the file is there but empty."""
    for nothing in (None, "", " \n"):
        assert add_files(nothing, "INT-001", "Build Weather API", ["src/api/weather.py"]) == CONTRACT


def test_entries_are_sorted_and_never_repeated() -> None:
    """Sections stay in the order in which they came."""
    text = add_all(
        CONTRACT,
        ("INT-001", "Build Weather API", "src/api/zoo.py"),
        ("INT-002", "Write the guide", "docs/guide.md"),
        ("INT-001", "Build Weather API", "src/api/alpha.py"),
        ("INT-001", "Build Weather API", "src/api/weather.py"),
    )
    assert text == (
        HEADER + "\n## INT-001: Build Weather API\n\n"
        "- `src/api/alpha.py`\n- `src/api/weather.py`\n- `src/api/zoo.py`\n"
        "\n## INT-002: Write the guide\n\n- `docs/guide.md`\n"
    )
    assert parse(text)["INT-001"] == ["src/api/alpha.py", "src/api/weather.py", "src/api/zoo.py"]
    assert add_files(text, "INT-002", "Write the guide", ["docs/guide.md"]) == text


def test_a_new_name_of_an_intent_shows_in_its_heading() -> None:
    """On one line; an intent whose name isn't known (any more) keeps what it has."""
    text = add_files(CONTRACT, "INT-001", "Build\nit # well", ["src/api/weather.py"])
    assert text == CONTRACT.replace("Build Weather API", "Build it # well")
    assert add_files(CONTRACT, "INT-001", "", ["src/api/weather.py"]) == CONTRACT
    assert "\n## INT-9\n" in add_files(None, "INT-9", "", ["a"])
    assert parse(add_files(None, "x:", "", ["a"])) == {"x:": ["a"]}


def test_hand_written_text_stays() -> None:
    """Around sections and inside them; notes stay with their entry; fenced text is no section."""
    text = add_files(HAND_WRITTEN, "INT-001", "Build Weather API", ["src/api/a.py"])
    assert text == HAND_WRITTEN.replace("- `src/api/b.py` —", "- `src/api/a.py`\n- `src/api/b.py` —")
    text = add_files(text, "INT-001", "Build Weather API", ["src/api/zz.py"])
    assert "\n* `src/api/z.py`\n- `src/api/zz.py`\n\nBelow the list.\n" in text
    text = add_files(text, "INT-002", "Guide", ["docs/a.md"])
    assert text.endswith("# Appendix\n\n- `src/api/a.py`\n\n## INT-002: Guide\n\n- `docs/a.md`\n")
    for path in ("src/api/a.py", "src/api/zz.py", "docs/a.md"):
        text = remove_files(text, [path])
    assert text.rstrip() == HAND_WRITTEN.rstrip()


def test_entries_that_a_person_left_unsorted_are_sorted_in_place() -> None:
    """Each with its notes; the text between them stays where it is."""
    text = "## I: n\n- `c`\n  note on c\nBetween.\n- `a`\n- `b`\n- `b`\n- `b` mine\n"
    assert add_files(text, "I", "n", ["d"]) == (
        "## I: n\n- `a`\nBetween.\n- `b`\n- `b` mine\n- `c`\n  note on c\n- `d`\n"
    )


def test_a_section_with_text_only_gets_its_entries_below_it() -> None:
    """With a blank line between, so that the list is one."""
    text = "## I: n\n\nWords.\n\n## J: m\n"
    assert add_files(text, "I", "n", ["a"]) == "## I: n\n\nWords.\n\n- `a`\n\n## J: m\n"
    assert add_files(text, "J", "m", ["a"]) == "## I: n\n\nWords.\n\n## J: m\n\n- `a`\n"
    assert add_files("# T", "J", "m", ["a"]) == "# T\n\n## J: m\n\n- `a`\n"
    assert add_files("# T\n\n", "J", "m", ["a"]) == "# T\n\n## J: m\n\n- `a`\n"


def test_windows_line_ends_stay_windows_line_ends() -> None:
    """Also those of the lines that are new."""
    windows = CONTRACT.replace("\n", "\r\n")
    text = add_all(windows, ("INT-001", "New", "b.py"), ("INT-002", "Guide", "a.py"))
    expected = add_all(CONTRACT, ("INT-001", "New", "b.py"), ("INT-002", "Guide", "a.py"))
    assert text == expected.replace("\n", "\r\n")
    assert add_files("# T\r\rold Mac\r", "I", "", ["a"]).startswith("# T\r\rold Mac\r\n## I\n")


def test_a_fence_that_is_never_closed_hides_nothing() -> None:
    """Else each edit would add the section once more."""
    text = "```\n" + CONTRACT + "~~~\n"
    assert parse(text) == {"INT-001": ["src/api/weather.py"]}
    assert parse("````\n```\n" + CONTRACT + "````\n") == {}


@pytest.mark.parametrize(
    ("path", "span"),
    [
        ("a`b.py", "``a`b.py``"),
        ("a``b", "`a``b`"),
        ("a`b``c", "```a`b``c```"),
        ("`a", "`` `a ``"),
        ("a`", "`` a` ``"),
        ("`", "`` ` ``"),
        ("a b", "`a b`"),
        ("a\nb", "`a\ufffdb`"),
    ],
)
def test_a_path_with_backticks_is_a_longer_code_span(path: str, span: str) -> None:
    """As Markdown reads it; and it is read back."""
    text = add_files(None, "I", "n", [path])
    assert f"\n- {span}\n" in text
    assert parse(text) == {"I": [path_line(path)]}
    assert add_files(text, "I", "n", [path]) == text
    assert parse(remove_files(text, [path])) == {}


def test_removing_the_last_file_removes_the_section() -> None:
    """Unless somebody wrote something in it."""
    assert remove_files(CONTRACT, ["src/api/weather.py"]).rstrip() == HEADER.rstrip()
    assert remove_files(CONTRACT, ["src/api/other.py"]) == CONTRACT
    assert remove_files("## I: n\n- `a`\nWords.\n", ["a"]) == "## I: n\nWords.\n"
    assert remove_files("## I: n\n\n## J: m\n- `a`\n", ["a"]) == "## I: n\n\n"


def test_a_renamed_file_is_renamed_for_every_intent() -> None:
    """Its notes go with it; where the new name stands already, the old one goes."""
    text = "## I: n\n- ``b`` mine\n- `c`\n\n## J: m\n- `b`\n- `d`\n\n## K: o\n- `z`\n- `e`\n"
    assert rename(text, "b", "d") == "## I: n\n- `c`\n- `d` mine\n\n## J: m\n- `d`\n\n## K: o\n- `z`\n- `e`\n"
    assert rename(text, "b", "b") == text
    assert rename(text, "nowhere", "d") == text


def test_headings_that_are_words_are_no_intents() -> None:
    """Nor are deeper ones, or ones without an id."""
    text = "## How to\n- `a`\n### INT-1: x\n- `b`\n##\n- `c`\n## :\n- `d`\n#INT-1: x\n- `e`\n"
    assert parse(text) == {}
    assert parse("## INT-1\n- `a`\n### Deeper\n- `b`\n") == {"INT-1": ["a", "b"]}


@pytest.mark.parametrize("line", ["- a", "-`a`", "- ``a`", "- `a", "    text", "- ` `` x", "1. `a`"])
def test_a_bullet_without_a_code_span_is_no_entry(line: str) -> None:
    """It is text."""
    assert parse(f"## I: n\n{line}\n") == {}


def test_a_map_is_rebuilt_around_what_people_wrote() -> None:
    """Files that are gone go, new ones come, sections of intents nobody named stay."""
    sections = {
        "INT-001": MapSection("Build Weather API", ("src/api/b.py", "src/api/c.py")),
        "INT-002": MapSection("Guide", ("docs/b.md", "docs/a.md")),
        "INT-003": MapSection("Nothing yet"),
    }
    text = rebuild(HAND_WRITTEN + "\n## Notes\n- `mine`\n", sections)
    assert "- `src/api/b.py` — the client\n  handle with care\n- `src/api/c.py`\n\nBelow the list.\n" in text
    assert text.endswith("## Notes\n- `mine`\n\n## INT-002: Guide\n\n- `docs/a.md`\n- `docs/b.md`\n")
    assert "INT-003" not in text
    assert rebuild(text, sections) == text
    assert rebuild(CONTRACT, {"INT-001": MapSection("Build Weather API")}).rstrip() == HEADER.rstrip()
    assert rebuild(None, {}) == HEADER


def test_two_sections_of_one_intent_count_as_one() -> None:
    """Somebody pasted the section twice: a file in either is there, and a rebuild keeps it once."""
    text = "## I: n\n- `a`\n\n## I: n\n- `a`\n- `b`\n"
    assert add_files(text, "I", "n", ["b"]) == text
    assert parse(text) == {"I": ["a", "a", "b"]}
    assert parse(rebuild(text, {"I": MapSection("n", ("a", "b", "c"))})) == {"I": ["a", "c", "b"]}


@given(EDITS)
def test_a_map_holds_what_a_dictionary_of_sets_would(edits: list[tuple[str, str, str]]) -> None:
    """After any edits: the same files, sorted, each once, and the hand-written part untouched."""
    model: dict[str, set[str]] = {}
    text = HEADER + "\nWords.\n"
    for kind, first, second in edits:
        if kind == "add":
            text = add_files(text, first, "Some name", [second])
            model.setdefault(first, set()).add(path_line(second))
        elif kind == "remove":
            text = remove_files(text, [first])
            for files in model.values():
                files.discard(path_line(first))
        else:
            text = rename(text, first, second)
            for files in model.values():
                if path_line(first) in files:
                    files.remove(path_line(first))
                    files.add(path_line(second))
    assert parse(text) == {intent_id: sorted(files) for intent_id, files in parse(text).items()}
    assert {intent_id: set(files) for intent_id, files in parse(text).items()} == {k: v for k, v in model.items() if v}
    assert text.startswith(HEADER + "\nWords.\n")


@given(st.text(st.sampled_from("# -*`~:IN\n\r\tx"), max_size=40), PATHS)
def test_any_text_survives_an_entry_that_comes_and_goes(text: str, path: str) -> None:
    """Whatever a person wrote, no character but blank ends of lines is lost, and the entry is found."""
    after = add_files(text, "INT-7", "n", [path])
    assert path_line(path) in parse(after)["INT-7"]
    kept = remove_files(after, [path])
    assert [line for line in kept.split() if line] == [
        line for line in (text if text.strip() else HEADER).split() if line
    ]
