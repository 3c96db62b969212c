"""The history of a definition: followed from version to version as far as the records prove it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from intentls.core.blame.definition_history import (
    DefinitionHistory,
    DefinitionPlace,
    DefinitionSource,
    VersionFacts,
    continued,
    definition_history,
    place_in_version,
)
from intentls.core.blame.version_graph import FileVersion, LineOwners, VersionGraph, VersionId
from intentls.core.hashing import hash_of
from intentls.core.ledger.definition_origin import DefinitionOrigin
from intentls.core.ledger.line_range import Origin
from intentls.core.text.line_hashes import bare_lines, join_hashes, line_hash
from intentls.core.text.lines import Hunk, diff
from tests.core.blame.test_version_graph import version

RAIN = b"def rain(city):\n    value = measure(city)\n    return value\n"
SNOW = b"def snow(land):\n    return 1\n"


class Records:
    """The versions of one file, by owners a, b, c; each says which definitions it names."""

    def __init__(self, *contents: tuple[bytes, str], before: bytes | None = None) -> None:
        self.versions: list[FileVersion[str]] = []
        self.facts: dict[VersionId, VersionFacts] = {}
        for number, (content, symbols) in enumerate(contents):
            self.versions.append(version("abcdef"[number], before, content))
            self.facts[0, number] = facts(before, content, symbols)
            before = content
        self.content = before or b""

    def history(self, name: str, others: Sequence[Sequence[FileVersion[str]]] = ()) -> DefinitionHistory[str]:
        return history(VersionGraph([self.versions, *others]), self.facts, place(self.content, name))


def facts(before: bytes | None, content: bytes, symbols: str, old_path: str | None = None) -> VersionFacts:
    lines = bare_lines(before or b"")
    hunks = diff(before, content)
    removed = [line_hash(line) for hunk in hunks for line in lines[hunk.old_start - 1 :][: hunk.old_lines]]
    return VersionFacts("a.py", removed, tuple(symbols.split()), old_path)


def place(content: bytes, name: str) -> DefinitionPlace:
    """A function: from its first line to the last indented one."""
    lines = bare_lines(content)
    first = next(i for i, line in enumerate(lines) if line.startswith(b"def " + name.encode() + b"("))
    last = first
    while last + 1 < len(lines) and lines[last + 1].startswith(b" "):
        last += 1
    return DefinitionPlace(name, frozenset(range(first + 1, last + 2)), first + 1, lines[first])


def history(
    graph: VersionGraph[str], known: Mapping[VersionId, VersionFacts], where: DefinitionPlace
) -> DefinitionHistory[str]:
    find: Callable[[VersionId], VersionFacts] = lambda id_: known.get(id_, VersionFacts())  # noqa: E731
    return definition_history(graph, (0, len(graph.files[0]) - 1), where, find)


def story(answer: DefinitionHistory[str]) -> list[str]:
    steps = [
        " ".join(filter(None, ("+".join(step.owners) or "-", *step.what, step.old_name, step.old_path)))
        for step in answer.steps
    ]
    return [*steps, answer.beginning]


def test_the_example_of_the_module_is_what_it_says() -> None:
    changed = RAIN.replace(b"value\n", b"value * 2\n")
    renamed = changed.replace(b"rain(", b"rain_in(")
    records = Records((RAIN, "rain"), (changed, "rain"), (renamed, "rain_in"))
    answer = records.history("rain_in")
    assert story(answer) == ["c renamed rain", "b changed", "a created", "created"]
    assert [step.name for step in answer.steps] == ["rain_in", "rain", "rain"]


def test_edits_elsewhere_are_no_part_of_the_history() -> None:
    records = Records((SNOW + RAIN, "snow rain"), (b"import os\n" + SNOW + RAIN, ""), (SNOW + RAIN + b"print()\n", ""))
    assert story(records.history("rain")) == ["a created", "created"]


def test_a_line_taken_out_changes_the_definition() -> None:
    records = Records((RAIN, "rain"), (RAIN.replace(b"    value = measure(city)\n", b""), ""))
    assert story(records.history("rain")) == ["- changed", "a created", "created"]


def test_a_renamed_definition_may_be_changed_by_the_same_record() -> None:
    long = RAIN.replace(b"    return", b"    log(value)\n    check(value)\n    return")
    new = long.replace(b"rain(", b"wet(").replace(b"log(value)", b"note(value)")
    assert story(Records((long, "rain"), (new, "wet")).history("wet")) == [
        "b renamed changed rain", "a created", "created",
    ]  # fmt: skip


def test_a_rename_needs_the_body_to_stay() -> None:
    new = b"def wet(city):\n    burn(city)\n    return value\n"
    assert story(Records((RAIN, "rain"), (new, "wet")).history("wet")) == ["b changed", "lost"]


def test_a_rename_that_two_old_names_explain_is_lost() -> None:
    """Both of them are in the records, and were replaced."""
    before = b"def rain(city):\ndef snow(city):\n    value = measure(city)\n    return value\n"
    new = b"def wet(city):\n    value = measure(city)\n    return value\n"
    assert story(Records((before, "rain snow"), (new, "wet")).history("wet")) == ["b changed", "lost"]


def test_another_definition_in_the_same_place_is_a_new_one() -> None:
    records = Records((RAIN, "rain"), (b"def wet(land):\n    burn()\n", "wet"))
    assert story(records.history("wet")) == ["b created", "created"]


def test_a_definition_that_was_rewritten_wholly_under_its_name_is_lost() -> None:
    records = Records((RAIN, "rain"), (b"def rain(land):\n    burn()\n", "rain"))
    assert story(records.history("rain")) == ["b changed", "lost"]


def test_a_new_signature_keeps_the_name_that_a_record_tells() -> None:
    """What the line was called before is then not known any more, so a rename before is lost."""
    signed, wider = RAIN.replace(b"(city):", b"(city, land):"), RAIN.replace(b"(city):", b"(city, land, year):")
    answer = Records((RAIN, "rain"), (signed, "rain"), (wider, "rain")).history("rain")
    assert story(answer) == ["c changed", "b changed", "a created", "created"]
    old = RAIN.replace(b"rain(", b"wet(")
    answer = Records((old, "wet"), (RAIN, "rain"), (signed, "rain")).history("rain")
    assert story(answer) == ["c changed", "b changed", "lost"]
    assert story(Records((RAIN, ""), (signed, "rain")).history("rain"))[-1] == "lost"


def test_methods_are_renamed_by_the_part_that_differs() -> None:
    """A name of another depth, or that changes nothing in the line, is none of the older names."""
    old, new = RAIN.replace(b"rain", b"snow"), RAIN
    records = Records((old, "City.snow Town.rain snow City.hail"), (new, "City.rain"))
    where = replace(place(new, "rain"), name="City.rain")
    answer = history(VersionGraph([records.versions]), records.facts, where)
    assert story(answer) == ["b renamed City.snow", "a created", "created"]


def test_a_history_is_older_than_the_records_where_they_build_on_other_content() -> None:
    changed = RAIN.replace(b"value\n", b"value * 2\n")
    assert story(Records((changed, "rain"), before=RAIN).history("rain")) == ["a changed", "unrecorded"]
    signed = RAIN.replace(b"(city):", b"(city, land):")
    assert story(Records((signed, "rain"), before=RAIN).history("rain")) == ["a changed", "unrecorded"]


def test_a_renamed_file_moves_the_definition() -> None:
    records = Records((RAIN, "rain"), (RAIN, ""))
    records.facts[0, 1] = facts(RAIN, RAIN, "", "old.py")
    assert story(records.history("rain")) == ["- moved old.py", "a created", "created"]


def test_lines_moved_in_the_file_are_followed_and_those_of_another_file_too() -> None:
    moved = version("b", RAIN + SNOW, SNOW + RAIN, Origin(3, 5, 1, 3))
    records = Records((RAIN + SNOW, "rain snow"))
    records.versions.append(replace(moved, hunks=(Hunk(1, 3, 0, 0), Hunk(5, 0, 3, 3)), claims=moved.claims))
    records.content = SNOW + RAIN
    assert story(records.history("rain")) == ["- moved a.py", "a created", "created"]

    there = version("d", None, RAIN)
    pasted = version("b", None, RAIN, Origin(1, 3, 1, 3, "b.py"), others={"b.py": (1, 0)})
    graph = VersionGraph([[pasted], [there]])
    known = {(0, 0): VersionFacts("a.py"), (1, 0): VersionFacts("b.py")}
    assert story(history(graph, known, place(RAIN, "rain"))) == ["b moved b.py", "d created", "created"]
    graph = VersionGraph([[replace(pasted, others={})]])
    assert story(history(graph, known, place(RAIN, "rain"))) == ["b moved a.py", "unrecorded"]


def test_a_formatter_changes_a_definition_and_hides_what_its_first_line_was() -> None:
    """The lines that it left as they were are still the definition's."""
    ugly = RAIN.replace(b"rain(city)", b"rain( city )")
    formatted = version("b", ugly, RAIN, Origin(1, 1, 1, 1, None, join_hashes([b"def rain( city ):"])))
    records = Records((ugly.replace(b"value\n", b"1\n"), "rain"), (ugly, "rain"))
    records.versions.append(replace(formatted, pre_hash=hash_of(ugly)))
    records.content = RAIN
    assert story(records.history("rain")) == ["b changed", "b changed", "a created", "created"]
    joined = version("b", b"def rain(\n city):\n    return 1\n", b"def rain(city):\n    return 1\n", Origin(1, 1, 1, 2))
    records = Records((b"def rain(\n city):\n    return 1\n", "rain"))
    records.versions.append(joined)
    records.content = b"def rain(city):\n    return 1\n"
    assert story(records.history("rain"))[-1] == "created"


def test_an_extracted_function_whose_lines_came_from_elsewhere_is_not_new() -> None:
    """It may as well be another one that was moved and renamed at once."""
    extracted = version("b", SNOW, SNOW + RAIN, Origin(4, 5, 1, 2, "b.py"), others={"b.py": (1, 0)})
    graph = VersionGraph([[version("a", None, SNOW), extracted], [version("d", None, RAIN)]])
    assert story(history(graph, {}, place(SNOW + RAIN, "rain"))) == ["b changed", "lost"]


def test_records_without_hunks_and_forged_ones_end_the_history() -> None:
    records = Records((RAIN, "rain"))
    records.versions.append(replace(version("b", RAIN, RAIN + SNOW), hunks=None))
    records.content = RAIN + SNOW
    assert story(records.history("rain")) == ["- changed", "lost"]
    circle = [replace(version("a", None, RAIN), base=(0, 1), hunks=()), replace(version("b", RAIN, RAIN), base=(0, 0))]
    assert story(history(VersionGraph([circle]), {}, place(RAIN, "rain")))[-1] == "lost"
    signed = RAIN.replace(b"(city):", b"(city, land):")
    circle = [replace(version("a", RAIN, signed), base=(0, 0))]
    assert story(history(VersionGraph([circle]), {}, place(signed, "rain"))) == ["a changed", "lost"]
    huge = replace(version("b", RAIN, RAIN), hunks=(Hunk(3, 10**12, 3, 1),))
    records.versions[1:] = [huge]
    records.content = RAIN
    assert story(records.history("rain"))[0] == "- changed"


def test_a_content_that_no_record_left_is_compared_with_a_version() -> None:
    lines = bare_lines(RAIN)
    known: LineOwners[str] = LineOwners([("a", line_hash(line), None) for line in lines], is_whole=True)
    now = b"import os\n" + RAIN.replace(b"    return", b"    log()\n    return")
    where = place_in_version(place(now, "rain"), bare_lines(now), known)
    assert where == DefinitionPlace("rain", frozenset({1, 2, 3}), 1, b"def rain(city):")
    unknown: LineOwners[str] = LineOwners([("a", None, None), *known.lines[1:]], is_whole=True)
    assert place_in_version(place(now, "rain"), bare_lines(now), unknown) is None
    assert hash_of(now) != hash_of(RAIN)


WET = b"def wet(land):\n    burn()\n"


def said(symbol: str, line: int, old_symbol: str, old_line: int, old_end_line: int) -> DefinitionOrigin:
    return DefinitionOrigin(symbol, line, old_symbol, old_line, old_line, old_end_line)


def test_what_the_record_says_of_a_definition_is_taken_from_it() -> None:
    """Although none of its lines stayed."""
    records = Records((SNOW + RAIN, "snow rain"), (SNOW + WET, "wet"))
    records.facts[0, 1] = replace(records.facts[0, 1], origins=[said("wet", 3, "rain", 3, 5)])
    answer = records.history("wet")
    assert story(answer) == ["b renamed changed rain", "a created", "created"]
    assert [step.name for step in answer.steps] == ["wet", "rain"]


def test_what_a_record_says_of_another_line_is_of_another_definition() -> None:
    """Two may have one name."""
    records = Records((SNOW + RAIN, "snow rain"), (SNOW + WET, "wet"))
    records.facts[0, 1] = replace(records.facts[0, 1], origins=[said("wet", 4, "rain", 3, 5)])
    assert story(records.history("wet")) == ["b created", "created"]


def test_what_a_record_says_of_a_content_that_none_left_leads_to_nothing_on_record() -> None:
    records = Records((SNOW + WET, "wet"), before=SNOW + RAIN)
    records.facts[0, 0] = replace(records.facts[0, 0], origins=[said("wet", 3, "rain", 3, 5)])
    assert story(records.history("wet")) == ["a renamed changed rain", "unrecorded"]


def test_a_definition_of_which_lines_came_from_another_file_is_not_called_new() -> None:
    """It may be the one that stood there, with another first line."""
    body = b"    value = measure(city)\n    return value\n"
    new = version("b", None, b"def wet(city, land):\n" + body)
    origin = Origin(2, 3, 2, 3, "other.py", None)
    graph = VersionGraph([[replace(new, origins=(origin,), others={"other.py": (1, 0)})], [version("a", None, RAIN)]])
    known = {(0, 0): facts(None, b"def wet(city, land):\n" + body, "wet"), (1, 0): facts(None, RAIN, "rain")}
    where = place(b"def wet(city, land):\n" + body, "wet")
    assert story(history(graph, known, where)) == ["b changed", "lost"]


def test_a_record_may_say_that_a_definition_was_another_ones_or_that_it_was_written_anew() -> None:
    new = SNOW + b"def rain(land):\n    burn()\n"
    records = Records((SNOW + RAIN, "snow rain"), (new, "rain"))
    for symbol, what in (("City.rain", "b moved changed a.py"), ("rain", "b changed")):
        records.facts[0, 1] = replace(records.facts[0, 1], origins=[said(symbol, 3, "rain", 3, 5)])
        where = replace(place(new, "rain"), name=symbol)
        answer = history(VersionGraph([records.versions]), records.facts, where)
        assert story(answer) == [what, "a created", "created"]


def test_a_record_that_compared_the_definitions_and_does_not_name_one_loses_it() -> None:
    signed = RAIN.replace(b"(city):", b"(city, land):")
    records = Records((RAIN, "rain"), (signed, "rain"))
    records.facts[0, 1] = replace(records.facts[0, 1], origins=[])
    assert story(records.history("rain")) == ["b changed", "lost"]


def test_a_definition_that_its_first_record_moved_has_the_history_of_where_it_stood() -> None:
    graph = VersionGraph([[version("b", None, RAIN)], [version("d", None, SNOW + RAIN)]])
    known = {(0, 0): facts(None, RAIN, "rain"), (1, 0): facts(None, SNOW + RAIN, "snow rain")}
    find: Callable[[VersionId], VersionFacts] = lambda id_: known.get(id_, VersionFacts())  # noqa: E731
    here = history(graph, known, place(RAIN, "rain"))
    there = place(SNOW + RAIN, "rain")
    whole = continued(graph, here, DefinitionSource("old.py", (1, 0), there), find)
    assert story(whole) == ["b moved old.py", "d created", "created"]
    assert story(continued(graph, here, DefinitionSource("old.py", None, there), find)) == [
        "b moved old.py", "unrecorded",
    ]  # fmt: skip
