"""The history of a definition: which intents created, changed, renamed and moved it."""

from __future__ import annotations

from pathlib import Path

import pytest

from intentls.core.errors import InvalidArgument
from intentls.engine.blame.definition_blame import (
    DefinitionBlame,
    DefinitionsUnknown,
    blame_definition,
    blame_definition_at,
)
from tests.engine.blame.test_blame import Desk
from tests.support.agent_edits import Agent
from tests.support.workspaces import make_git_repo

RAIN = "def rain(city):\n    value = measure(city)\n    log(value)\n    return value\n"
SNOW = "def snow(country):\n    return forecast(country)\n"
CITY = "class City:\n    def rain(self):\n        return 1\n\n    def snow(self):\n        return 2\n"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path / "w")
    (desk.root / "src").mkdir()
    return desk


def blamed(desk: Desk, symbol: str, path: str = "src/a.py") -> DefinitionBlame:
    return blame_definition(desk.a.engine, "reader", str(desk.root / path), symbol)


def story(desk: Desk, symbol: str, path: str = "src/a.py") -> list[str]:
    """Each step: who, what, and from where; the last word is how the history begins."""
    answer = blamed(desk, symbol, path)
    steps = [
        " ".join(
            str(word)
            for word in (part.record["intent_id"], *part.step.what, part.step.old_name, part.step.old_path)
            if word
        )
        for part in answer.steps
    ]
    return [*steps, answer.beginning]


def owners(answer: DefinitionBlame) -> str:
    return "".join(
        (str(part.record["intent_id"]) if part.record else "-") * (part.end_line - part.start_line + 1)
        for part in answer.ranges
    )


def test_a_definition_has_the_records_that_created_and_changed_it(desk: Desk) -> None:
    desk.write(desk.a, "src/a.py", RAIN + "\n\n" + SNOW)
    desk.write(desk.b, "src/a.py", RAIN.replace("log", "trace") + "\n\n" + SNOW)
    desk.write(desk.a, "src/a.py", "import os\n\n\n" + RAIN.replace("log", "trace") + "\n\n" + SNOW)
    assert story(desk, "rain") == ["B changed", "A created", "created"]
    assert story(desk, "snow") == ["A created", "created"]
    assert owners(blamed(desk, "rain")) == "AABA"


def test_a_removed_line_changes_a_definition(desk: Desk) -> None:
    desk.write(desk.a, "src/a.py", RAIN)
    desk.write(desk.b, "src/a.py", RAIN.replace("    log(value)\n", ""))
    assert story(desk, "rain") == ["B changed", "A created", "created"]


def test_a_renamed_definition_has_its_history_under_the_old_name(desk: Desk) -> None:
    desk.write(desk.a, "src/a.py", SNOW + RAIN)
    desk.write(desk.a, "src/a.py", SNOW + RAIN.replace("log", "trace"))
    desk.write(desk.b, "src/a.py", SNOW + RAIN.replace("log", "trace").replace("rain", "rain_in"))
    desk.write(desk.a, "src/a.py", SNOW + RAIN.replace("log", "note").replace("rain", "wet"))
    assert story(desk, "wet") == [
        "A renamed changed rain_in", "B renamed rain", "A changed", "A created", "created",
    ]  # fmt: skip


def test_a_definition_is_followed_to_the_file_it_was_cut_from(desk: Desk) -> None:
    desk.write(desk.a, "src/a.py", SNOW + RAIN)
    desk.write(desk.b, "src/a.py", SNOW)
    desk.write(desk.b, "src/b.py", RAIN)
    desk.write(desk.a, "src/b.py", RAIN.replace("log", "trace"))
    assert story(desk, "rain", "src/b.py") == ["A changed", "B moved src/a.py", "A created", "created"]


FORECASTS = {
    "ts": "function forecast(city: string): number {\n  const value = measureCity(city);\n  return value * 2;\n}\n",
    "js": "function forecast(city) {\n  const value = measureCity(city);\n  return value * 2;\n}\n",
    "go": "func forecast(city string) int {\n\tvalue := measureCity(city)\n\treturn value * 2\n}\n",
    "rs": "pub fn forecast(city: &str) -> i32 {\n    let value = measure_city(city);\n    value * 2\n}\n",
    "java": "class forecast {\n    int rain(String city) {\n        return measureCity(city) * 2;\n    }\n}\n",
    "c": "int forecast(char *city) {\n    int value = measure_city(city);\n    return value * 2;\n}\n",
}


@pytest.mark.parametrize("ending", FORECASTS)
def test_a_definition_of_any_language_is_followed_to_the_file_it_was_cut_from(desk: Desk, ending: str) -> None:
    source, target, body = f"src/a.{ending}", f"src/b.{ending}", FORECASTS[ending]
    desk.write(desk.a, source, body)
    desk.write(desk.b, source, "")
    desk.write(desk.b, target, body)
    assert story(desk, "forecast", target) == [f"B moved {source}", "A created", "created"]


def at_line(desk: Desk, line: int, *, on_name: bool = False) -> str | None:
    workspace = desk.a.engine.workspace(desk.root)
    answer = blame_definition_at(workspace, "src/a.py", line, on_name=on_name)
    return None if answer is None else answer.definition.name


def test_a_line_is_of_the_innermost_definition_around_it(desk: Desk) -> None:
    desk.write(desk.a, "src/a.py", "import os\n\n@cached\n" + CITY)
    assert [at_line(desk, line) for line in (1, 3, 4, 5, 6, 8)] == [
        None, "City", "City", "City.rain", "City.rain", "City.snow",
    ]  # fmt: skip
    assert [at_line(desk, line, on_name=True) for line in (3, 4, 5, 6)] == [None, "City", "City.rain", None]
    desk.unseen("src/a.py", "\0")
    assert at_line(desk, 1) is None
    desk.unseen("src/a.py", "# nothing\n")
    with pytest.raises(DefinitionsUnknown, match="a grammar may be missing"):
        at_line(desk, 1)
    assert at_line(desk, 1, on_name=True) is None
    desk.unseen("src/a.py", "# nothing\n\n\n\nimport os\n\n\n" + CITY)
    assert at_line(desk, 1) is None, "there are definitions, only none near the line"


def test_a_renamed_file_moves_its_definitions(desk: Desk) -> None:
    desk.write(desk.a, "src/a.py", SNOW + RAIN)
    desk.b.engine.workspace(desk.root)
    desk.b.rename("src/a.py", "src/b.py")
    assert story(desk, "rain", "src/b.py") == ["B moved src/a.py", "A created", "created"]


def test_another_function_in_the_same_place_is_not_the_old_one_renamed(desk: Desk) -> None:
    desk.write(desk.a, "src/a.py", SNOW + RAIN)
    desk.write(desk.b, "src/a.py", SNOW + "def heat(city):\n    burn(1)\n    burn(2)\n    return burn(3)\n")
    assert story(desk, "heat") == ["B created", "created"]


def test_an_extracted_function_is_not_the_function_it_came_from(desk: Desk) -> None:
    long = RAIN.replace(
        "    return", "    first_step(value)\n    second_step(value)\n    third_step(value)\n    return"
    )
    desk.write(desk.a, "src/a.py", long)
    body = "    first_step(value)\n    second_step(value)\n    third_step(value)\n"
    desk.write(desk.b, "src/a.py", long.replace(body, "    steps(value)\n") + "\n\ndef steps(value):\n" + body)
    assert story(desk, "rain") == ["B changed", "A created", "created"]
    assert "renamed" not in " ".join(story(desk, "steps"))


def test_a_new_signature_keeps_the_history(desk: Desk) -> None:
    desk.write(desk.a, "src/a.py", SNOW + RAIN)
    desk.write(desk.b, "src/a.py", SNOW + RAIN.replace("(city):", "(city, country):"))
    assert story(desk, "rain") == ["B changed", "A created", "created"]


def test_a_new_name_with_a_new_signature_keeps_the_history(desk: Desk) -> None:
    desk.write(desk.a, "src/a.py", SNOW + RAIN)
    desk.write(desk.b, "src/a.py", SNOW + RAIN.replace("rain(city):", "wet(city, country):"))
    assert story(desk, "wet") == ["B renamed rain", "A created", "created"]


def test_a_method_of_a_renamed_class_has_its_history_under_the_old_name(desk: Desk) -> None:
    desk.write(desk.a, "src/a.py", CITY)
    desk.write(desk.b, "src/a.py", CITY.replace("City", "Town"))
    answer = blamed(desk, "Town.rain")
    assert [(step.step.name, step.step.what) for step in answer.steps] == [("City.rain", ("created",))]
    assert story(desk, "Town") == ["B renamed City", "A created", "created"]


def test_a_method_is_followed_to_the_class_that_it_was_moved_from(desk: Desk) -> None:
    """In one file by what the record says, from another one by the only name there that fits."""
    rain = "    def rain(self):\n        value = measure(self)\n        log(value)\n        return value\n"
    other = "    def hail(self):\n        return 0\n"
    desk.write(desk.a, "src/a.py", f"class City:\n{rain}{other}\n\nclass Town:\n{other}")
    desk.write(desk.b, "src/a.py", f"class City:\n{other}\n\nclass Town:\n{other}{rain}")
    assert story(desk, "Town.rain") == ["B moved src/a.py", "A created", "created"]
    assert [step.step.name for step in blamed(desk, "Town.rain").steps] == ["Town.rain", "City.rain"]
    desk.write(desk.a, "src/a.py", f"class City:\n{other}\n\nclass Town:\n{other}")
    desk.write(desk.a, "src/b.py", f"class Coast:\n{rain}")
    steps = blamed(desk, "rain", "src/b.py").steps
    assert [step.step.name for step in steps] == ["Coast.rain", "Town.rain", "City.rain"]


def test_a_definition_that_was_rewritten_under_its_name_keeps_its_history(desk: Desk) -> None:
    desk.write(desk.a, "src/a.py", SNOW + RAIN)
    desk.write(desk.b, "src/a.py", SNOW + "def rain(country):\n    return forecast(country).rain\n")
    assert story(desk, "rain") == ["B changed", "A created", "created"]


def test_what_is_older_than_the_records_is_said(desk: Desk) -> None:
    desk.unseen("src/a.py", SNOW + RAIN)
    desk.write(desk.b, "src/a.py", SNOW + RAIN.replace("log", "trace"))
    assert story(desk, "rain") == ["B changed", "unrecorded"]
    assert story(desk, "snow") == ["unrecorded"]


def test_an_edit_without_a_record_leaves_the_history_before_it(desk: Desk) -> None:
    desk.write(desk.a, "src/a.py", SNOW + RAIN)
    desk.unseen("src/a.py", "import os\n" + SNOW + RAIN.replace("log", "trace"))
    assert story(desk, "rain") == ["A created", "created"]
    make_git_repo(desk.root)
    assert story(desk, "rain") == ["A created", "created"]
    desk.unseen("src/a.py", SNOW.replace("snow", "hail"))
    assert story(desk, "hail") == ["unrecorded"]


def test_a_method_is_found_by_its_last_name_and_a_near_one_is_offered(desk: Desk) -> None:
    desk.write(desk.a, "src/a.py", CITY)
    assert blamed(desk, "rain").definition.name == "City.rain"
    with pytest.raises(InvalidArgument, match=r"src/a.py has no definition City.rian. Near: City.rain"):
        blamed(desk, "City.rian")


def test_a_file_without_definitions_is_refused_in_a_sentence(desk: Desk) -> None:
    desk.unseen("src/a.txt", "some words\n")
    with pytest.raises(InvalidArgument, match=r"no definitions can be read in src/a.txt"):
        blamed(desk, "rain", "src/a.txt")


POP = "    def popitem(self):\n        self._readonly()\n"
BOX, CASE = "class Box:\n    size = 1\n", "class Case:\n    width = 2\n"  # no line of one is beside POP in both


@pytest.mark.parametrize("cut_first", [True, False])
def test_a_short_definition_is_followed_to_the_file_that_its_session_cut_it_from(desk: Desk, cut_first: bool) -> None:
    """Its lines alone stay whose they are now: two of them prove nothing."""
    desk.write(desk.a, "src/a.py", BOX + POP)
    desk.write(desk.a, "src/b.py", CASE)
    edits = [("src/a.py", BOX), ("src/b.py", CASE + POP)]
    for path, text in edits if cut_first else edits[::-1]:
        desk.write(desk.b, path, text)
    assert story(desk, "popitem", "src/b.py") == ["B moved src/a.py", "A created", "created"]
    desk.write(desk.b, "src/b.py", CASE + POP.replace("(self)", "(self, last)"))
    assert story(desk, "popitem", "src/b.py") == ["B changed", "B moved src/a.py", "A created", "created"]


def test_a_session_may_move_a_short_definition_that_it_wrote(desk: Desk) -> None:
    for path, text in (("src/a.py", BOX + POP), ("src/a.py", BOX), ("src/b.py", CASE + POP)):
        desk.write(desk.a, path, text)
    assert story(desk, "popitem", "src/b.py") == ["A moved src/a.py", "A created", "created"]


def test_a_short_definition_may_have_been_there_before_the_records(desk: Desk) -> None:
    desk.unseen("src/a.py", BOX + POP)
    desk.write(desk.b, "src/a.py", BOX)
    desk.write(desk.b, "src/b.py", CASE + POP)
    assert story(desk, "popitem", "src/b.py") == ["B moved src/a.py", "unrecorded"]


def test_a_short_definition_is_followed_within_its_file(desk: Desk) -> None:
    desk.write(desk.a, "src/a.py", BOX + POP + "\n\n" + CASE)
    desk.write(desk.b, "src/a.py", BOX + "\n\n" + CASE)
    desk.write(desk.b, "src/a.py", BOX + "\n\n" + CASE + POP)
    assert story(desk, "Case.popitem") == ["B moved src/a.py", "A created", "created"]


def test_a_short_definition_is_followed_from_session_to_session(desk: Desk) -> None:
    third = Agent(desk.root, "three").select("A")
    desk.write(desk.a, "src/a.py", BOX + POP)
    for session, path, other in ((desk.b, "src/a.py", "src/b.py"), (third, "src/b.py", "src/c.py")):
        desk.write(session, path, BOX)
        desk.write(session, other, BOX + POP)
    assert story(desk, "popitem", "src/c.py") == ["A moved src/b.py", "B moved src/a.py", "A created", "created"]


@pytest.mark.parametrize(
    "edits",
    [
        pytest.param([("b", "src/b.py", CASE + POP)], id="a copy"),
        pytest.param([("b", "src/a.py", BOX), ("a", "src/b.py", CASE + POP)], id="another session"),
        pytest.param([("b", "src/a.py", BOX), ("b", "src/d.py", "\n"), ("b", "src/b.py", CASE + POP)], id="two cut"),
        pytest.param([("b", "src/a.py", BOX), ("b", "src/b.py", CASE + POP), ("b", "src/c.py", POP)], id="two pasted"),
        pytest.param([("b", "src/b.py", CASE + POP), ("b", "src/b.py", CASE + "\n" + POP)], id="its own file"),
        pytest.param([("b", "src/a.py", BOX), ("b", "src/b.py", CASE + POP + "\n" + POP)], id="pasted twice"),
    ],
)
def test_where_a_short_definition_is_from_is_never_guessed(desk: Desk, edits: list[tuple[str, str, str]]) -> None:
    twins = {"src/a.py", *(path for _, path, text in edits if POP not in text)}
    for path in sorted(twins):
        desk.write(desk.a, path, BOX + POP)
    desk.write(desk.a, "src/b.py", CASE)
    for session, path, text in edits:
        desk.write({"a": desk.a, "b": desk.b}[session], path, text)
    answer = blame_definition_at(desk.a.engine.workspace(desk.root), "src/b.py", 4)
    assert answer is not None
    assert (answer.definition.name, answer.beginning) == ("Case.popitem", "created")
    assert [part.step.what for part in answer.steps if part.path == "src/b.py"][-1] == ("created",)
