"""Who wrote what, where agents write a file that a person has open: inside the editor, and from a terminal."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator

import pytest

from tests.attribution.desk import AI, HUMAN, UNKNOWN, Desk, interleave
from tests.support.session import Json, Session, session
from tests.support.workspaces import commit_all, git, make_git_repo, make_workspace, write_files

SEEDS = int(os.environ.get("INTENTLS_BLAME_SEEDS", "4"))
STEPS = int(os.environ.get("INTENTLS_BLAME_STEPS", "40"))
EDITS = {"workspace": {"applyEdit": True}}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    root = make_git_repo(make_workspace(tmp_path_factory.mktemp("desks") / "w"))
    with session(root, capabilities=EDITS) as started:
        yield started


@pytest.fixture
def desk(server: Session, request: pytest.FixtureRequest) -> Iterator[Desk]:
    """A file of its own on the one server."""
    name = f"file_{zlib.crc32(request.node.name.encode())}"
    path = f"src/api/{name}.py"
    write_files(server.root, {path: "".join(f"{name}_{number}=call({number})\n" for number in range(8))})
    desk = Desk(server, path)
    yield desk
    server.close(path)


def saves(desk: Desk) -> list[Json]:
    """The records of saves of the file, each as its authors and their lines."""
    desk.server.wire.request("intentls/state", {})
    return [
        {
            part["contributor"]["type"]: [(lines["start_line"], lines["end_line"]) for lines in part["ranges"]]
            for part in record["files"][0]["conversations"]
        }
        for record in desk.server.ledger
        if record["tool_name"] == "did_save" and record["files"][0]["path"] == desk.path
    ]


def authors(desk: Desk) -> list[str]:
    """What blame says of each saved line; none of them is wrong."""
    assert desk.wrong() == []
    return desk.named()


@pytest.mark.parametrize("seed", range(SEEDS))
def test_random_interleavings_name_no_wrong_author(desk: Desk, seed: int) -> None:
    """Typing, several cursors, undo, redo, formatting, cut and paste, saves, agents inside and outside the editor."""
    assert interleave(desk, seed, STEPS) == []


def test_what_an_agent_writes_into_an_open_file_is_not_of_who_saves_it_next(desk: Desk) -> None:
    """The editor loads what an agent in a terminal wrote; the next save is compared with that."""
    desk.agent_writes(3, ["agent_one=1", "agent_two=2"])
    desk.insert(0, ["typed=1"])
    desk.save()
    assert authors(desk) == [HUMAN, *[UNKNOWN] * 3, AI, AI, *[UNKNOWN] * 4]
    assert saves(desk) == [{HUMAN: [(1, 1)]}]


def test_saving_what_was_just_loaded_records_nothing(desk: Desk) -> None:
    """What an agent wrote is on record already."""
    desk.agent_writes(3, ["agent_one=1"])
    desk.save()
    assert saves(desk) == []


def test_what_git_brings_into_an_open_file_is_not_of_who_saves_it_next(desk: Desk) -> None:
    """A branch is switched in a terminal, the editor loads the file, a person types a line and saves."""
    root = desk.server.root
    commit_all(root, "Before")
    git(root, "switch", "--quiet", "--create", "work")
    write_files(root, {desk.path: (root / desk.path).read_text().replace("call(3)", "colleague(3)")})
    commit_all(root, "Work")
    desk.load()
    desk.insert(0, ["typed=1"])
    desk.save()
    assert saves(desk) == [{HUMAN: [(1, 1)]}]


def test_a_paste_that_is_saved_at_once_is_of_who_pasted(desk: Desk) -> None:
    """The file may hold the saved text before its change is looked at: that is no loaded file."""
    desk.insert(2, ["pasted_one=1", "pasted_two=2"], saved_before=True)
    desk.save()
    assert saves(desk) == [{HUMAN: [(3, 4)]}]


def test_an_editor_may_save_before_it_answers(desk: Desk) -> None:
    """An agent's edit that an automatic save writes is the agent's."""
    desk.saves_at_once = True
    desk.agent_edits(3, ["agent_one=1"])
    assert saves(desk) == [{AI: [(4, 4)]}]
    desk.insert(0, ["typed=1"])
    desk.save()
    assert saves(desk) == [{AI: [(4, 4)]}, {HUMAN: [(1, 1)]}]


def test_an_agents_deletion_that_was_undone_is_on_no_record(desk: Desk) -> None:
    """Only what is left of the changes has authors."""
    desk.agent_edits(3, [])
    desk.undo()
    desk.insert(0, ["typed=1"])
    desk.save()
    assert saves(desk) == [{HUMAN: [(1, 1)]}]


def test_an_agents_edit_that_is_undone_and_done_again_is_the_agents(desk: Desk) -> None:
    """With a save after each."""
    desk.agent_edits(3, ["agent_one=1", "agent_two=2"])
    desk.save()
    desk.undo()
    desk.save()
    desk.redo()
    desk.save()
    assert saves(desk) == [{AI: [(4, 5)]}, {HUMAN: [(4, 4)]}, {AI: [(4, 5)]}]
    assert authors(desk)[3:5] == [AI, AI]


def test_formatting_on_save_does_not_make_an_agents_lines_the_persons(desk: Desk) -> None:
    """The words are the agent's."""
    desk.agent_edits(3, ["agent_one=1", "agent_two=2"])
    desk.insert(0, ["typed=1"])
    desk.format()
    desk.save()
    assert authors(desk)[4:6] == [AI, AI]


def test_lines_that_a_person_moves_before_the_first_save_stay_the_agents(desk: Desk) -> None:
    """Cut and paste within the document."""
    desk.agent_edits(3, ["agent_one=1", "agent_two=2"])
    desk.move(3, 5, 0)
    desk.save()
    assert authors(desk)[:2] == [AI, AI]


def test_a_copy_of_an_agents_lines_is_of_who_pasted_it(desk: Desk) -> None:
    """The lines stand in another file, which the agent wrote."""
    copied = ["forecast_tomorrow=station(1)", "forecast_yesterday=station(2)"]
    desk.server.do("writeToFile", path="src/api/other.py", content="".join(f"{text}\n" for text in copied))
    desk.insert(0, copied)
    desk.save()
    assert authors(desk)[:2] == [HUMAN, HUMAN]


def test_a_line_is_of_who_changed_it_last(desk: Desk) -> None:
    """An agent rewrites what a person has just typed, and the person rewrites what an agent wrote."""
    desk.insert(0, ["typed=1", "typed=2"])
    desk.agent_edits(0, ["agent_one=1"])
    desk.agent_edits(4, ["agent_two=2"])
    desk.type_behind([4], "0")
    desk.save()
    assert authors(desk)[:5] == [AI, HUMAN, UNKNOWN, UNKNOWN, HUMAN]


def test_an_edit_that_is_closed_without_saving_is_on_no_record(desk: Desk) -> None:
    """The agent's edit goes with the document."""
    desk.agent_edits(3, ["agent_one=1"])
    desk.close_and_open()
    desk.insert(0, ["typed=1"])
    desk.save()
    assert saves(desk) == [{HUMAN: [(1, 1)]}]
