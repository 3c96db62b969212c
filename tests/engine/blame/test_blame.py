"""Blame through what happens to files: moves, formatters, renames, git, and changes that nobody saw."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from intentls.engine.blame import unrecorded_moves
from intentls.engine.blame.blame import blame_content
from intentls.engine.blame.line_authors import shares
from intentls.engine.edits.read import read_file
from intentls.engine.workspace.progress import Progress, no_progress
from intentls.store.git.commits import file_versions
from intentls.store.ledger.ledger import Ledger
from intentls.store.ledger_search.query import RecordQuery
from tests.support.agent_edits import Agent
from tests.support.workspaces import commit_all, git, intents_yaml, make_git_repo, make_workspace

RAIN = "def rain(city):\n    value=measure( city )\n    return value*2\n"
NEAT = "def rain(city):\n    value = measure(city)\n    return value * 2\n"
SNOW = "def snow(country):\n    return forecast(country)\n"


class Desk:
    """Two agents, under intents A and B, in one root."""

    def __init__(self, root: Path) -> None:
        self.root = make_workspace(root, intents_yaml({"A": ["src/**"], "B": ["src/**"]}), {})
        self.a, self.b = Agent(self.root, "one").select("A"), Agent(self.root, "two").select("B")

    def write(self, agent: Agent, path: str, text: str) -> None:
        if (self.root / path).exists():
            read_file(agent.engine, agent.session_id, path)
        agent.write(path, text)

    def unseen(self, path: str, text: str) -> None:
        (self.root / path).write_bytes(text.encode())

    def owners(self, path: str) -> str:
        """The intent of each line, `-` for nobody's."""
        ranges = blame_content(self.a.engine.workspace(self.root), path, (self.root / path).read_bytes())
        return "".join(
            (str(part.record["intent_id"]) if part.record else "-") * (part.end_line - part.start_line + 1)
            for part in ranges
        )


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "w")


def test_a_formatter_that_an_agent_runs_takes_nobodys_lines(desk: Desk) -> None:
    """Nor does moving a block; a real change of a line does."""
    desk.write(desk.a, "src/a.py", RAIN + SNOW)
    desk.write(desk.b, "src/a.py", NEAT + SNOW)
    assert desk.owners("src/a.py") == "AAAAA"
    desk.write(desk.b, "src/a.py", SNOW + NEAT)
    assert desk.owners("src/a.py") == "AAAAA"
    desk.write(desk.b, "src/a.py", SNOW + NEAT.replace("* 2", "* 3"))
    assert desk.owners("src/a.py") == "AAAAB"


def test_white_space_alone_takes_no_line_where_it_says_nothing(desk: Desk) -> None:
    """In JSON and CSS; in Python a line that is indented anew does something else."""
    desk.write(desk.a, "src/a.css", "main {\n  color:red;\n}\n")
    desk.write(desk.b, "src/a.css", "main {\n    color: red;\n}\n")
    assert desk.owners("src/a.css") == "AAA"
    desk.write(desk.a, "src/a.py", "if rain:\n    umbrella()\ngo_out()\n")
    desk.write(desk.b, "src/a.py", "if rain:\n    umbrella()\n    go_out()\n")
    assert desk.owners("src/a.py") == "AAB"


def test_a_block_moved_by_two_edits_stays_its_writers(desk: Desk) -> None:
    """Pasted before it is cut, or after; a copy is the copier's."""
    desk.write(desk.a, "src/a.py", RAIN + SNOW)
    desk.write(desk.b, "src/copy.py", RAIN)
    assert desk.owners("src/copy.py") == "BBB"
    desk.write(desk.b, "src/a.py", SNOW)
    assert desk.owners("src/copy.py") == "AAA"
    desk.write(desk.b, "src/copy.py", "pass\n")
    desk.write(desk.b, "src/third.py", "# third\n" + RAIN)
    assert desk.owners("src/third.py") == "BAAA"


def test_a_file_renamed_unseen_keeps_its_authors(desk: Desk) -> None:
    """With `mv`, and edited since; while the old file is still there its copy is nobody's."""
    desk.write(desk.a, "src/a.py", RAIN)
    desk.unseen("src/b.py", RAIN)
    assert desk.owners("src/b.py") == "---"
    (desk.root / "src/a.py").unlink()
    assert desk.owners("src/b.py") == "AAA"
    desk.write(desk.b, "src/b.py", RAIN + SNOW)
    assert desk.owners("src/b.py") == "AAABB"


def test_git_fills_in_what_was_formatted_unseen_after_a_commit(desk: Desk) -> None:
    """And renamed on top; a record on top of the unseen version joins on to what was before it."""
    make_git_repo(desk.root)
    desk.write(desk.a, "src/a.py", RAIN)
    commit_all(desk.root, "Rain")
    desk.unseen("src/a.py", NEAT)
    assert desk.owners("src/a.py") == "AAA"
    commit_all(desk.root, "Neat")
    desk.unseen("src/a.py", NEAT + "unseen()\n")
    commit_all(desk.root, "Unseen")
    desk.write(desk.b, "src/a.py", NEAT + "unseen()\n" + SNOW)
    assert desk.owners("src/a.py") == "AAA-BB"
    git(desk.root, "mv", "src/a.py", "src/b.py")
    commit_all(desk.root, "Renamed")
    assert desk.owners("src/b.py") == "AAA-BB"


def test_git_is_asked_for_no_more_than_it_can_tell(desk: Desk) -> None:
    """Outside git there are no versions, nor of a file that was never committed."""
    assert file_versions(desk.root, "src/a.py") == []
    make_git_repo(desk.root)
    desk.unseen("loose.py", "x\n")
    assert file_versions(desk.root, "loose.py") == []
    commit_all(desk.root, "Loose")
    git(desk.root, "mv", "loose.py", "tight.py")
    commit_all(desk.root, "Tight")
    assert [(found.path, found.content) for found in file_versions(desk.root, "tight.py")] == [("tight.py", b"x\n")]


def test_a_large_ledger_is_not_read_again_and_again(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines are looked for as long as there is something left to read for one file; then they are nobody's."""
    desk.write(desk.a, "src/a.py", RAIN)
    (desk.root / "src/a.py").rename(desk.root / "src/b.py")
    monkeypatch.setattr(unrecorded_moves, "_MAX_BYTES", 10)
    assert desk.owners("src/b.py") == "---"
    monkeypatch.undo()
    monkeypatch.setattr(unrecorded_moves, "_MAX_ROUNDS", 0)
    assert desk.owners("src/b.py") == "---"


FIVE = ["first_line()", "second_line()", "third_line()", "fourth_line()", "fifth_line()"]


def lines(*texts: str) -> str:
    return "".join(f"{text}\n" for text in texts)


def test_the_example_of_the_loop_is_what_blame_says(desk: Desk) -> None:
    """The file was renamed without a record, and its last line was written without one."""
    desk.write(desk.a, "src/a.py", lines(*FIVE[:4]))
    desk.write(desk.b, "src/a.py", lines(FIVE[0], "other_line()", *FIVE[2:4]))
    (desk.root / "src/a.py").unlink()
    desk.unseen("src/b.py", lines(FIVE[0], "other_line()", *FIVE[2:]))
    assert desk.owners("src/b.py") == "ABAA-"


def test_the_example_of_cut_and_paste_is_what_blame_says(desk: Desk) -> None:
    """Cut first, then pasted: the lines stay their author's."""
    desk.write(desk.a, "src/a.py", lines(*FIVE[:3], "stays_here()"))
    desk.write(desk.b, "src/a.py", "stays_here()\n")
    desk.write(desk.b, "src/b.py", lines(*FIVE[:3]))
    assert desk.owners("src/b.py") == "AAA"


CITIES = (
    'conn = sqlite3.connect(":memory:")',
    'conn.execute("create table city (name)")',
    "rows = load_the_rows(conn)",
)


@pytest.mark.parametrize("is_committed", [False, True], ids=["only in the ledger", "committed"])
def test_the_example_of_one_equal_line_is_what_blame_says(desk: Desk, is_committed: bool) -> None:
    """A block of two telling lines that another file lost is its author's, and a line alone is nobody's."""
    desk.write(desk.a, "src/a.py", lines(*CITIES, "main()"))
    if is_committed:
        make_git_repo(desk.root)
    desk.write(desk.a, "src/a.py", lines("main()"))
    desk.unseen("src/b.py", lines(CITIES[0], "print_everything(conn)", *CITIES[1:]))
    if is_committed:
        commit_all(desk.root, "Cities")
    assert desk.owners("src/b.py") == "--AA"
    (desk.root / "src/a.py").unlink()
    desk.unseen("src/c.py", lines("# alone", CITIES[0], "done()"))
    assert desk.owners("src/c.py") == "---"


def test_a_line_that_moved_alone_within_its_file_without_a_record_is_nobodys(desk: Desk) -> None:
    """Also where git has both versions; a block of two keeps its author, and so does what stayed."""
    desk.write(desk.a, "src/a.py", lines(*FIVE))
    make_git_repo(desk.root)
    desk.unseen("src/a.py", lines(*FIVE[1:], FIVE[0]))
    assert desk.owners("src/a.py") == "AAAA-"
    commit_all(desk.root, "Moved one")
    assert desk.owners("src/a.py") == "AAAA-"
    desk.unseen("src/a.py", lines(*FIVE[2:], *FIVE[:2]))
    assert desk.owners("src/a.py") == "AAAAA"
    commit_all(desk.root, "Moved two")
    assert desk.owners("src/a.py") == "AAAAA"


def test_a_line_that_a_record_moved_keeps_its_author_alone(desk: Desk) -> None:
    """Though an edit without a record came before, so that the record does not know whose it was."""
    desk.write(desk.a, "src/a.py", lines(*FIVE))
    desk.unseen("src/a.py", lines(*FIVE[:2], "unseen_before()", *FIVE[2:]))
    patch = "--- a/src/a.py\n+++ b/src/a.py\n@@ -1,2 +1 @@\n-{0}\n {1}\n"
    patch += "--- /dev/null\n+++ b/src/b.py\n@@ -0,0 +1 @@\n+{0}\n"
    read_file(desk.b.engine, desk.b.session_id, "src/a.py")
    desk.b.patch(patch.format(*FIVE))
    assert desk.owners("src/a.py") == "A-AAA"
    assert desk.owners("src/b.py") == "A"


def test_no_file_is_read_from_the_ledger_twice_for_one_blame(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many rounds it takes: here lines come from three files, one of them by two edits."""
    for name, text in (("a", RAIN), ("b", SNOW), ("c", lines(*FIVE))):
        desk.write(desk.a, f"src/{name}.py", text)
    desk.write(desk.b, "src/c.py", "pass\n")
    desk.write(desk.b, "src/d.py", lines(*FIVE))
    for name in "ab":
        (desk.root / f"src/{name}.py").unlink()
    desk.unseen("src/d.py", RAIN + lines(*FIVE) + SNOW)
    searches: list[str] = []
    newest = Ledger.newest

    def counted(
        ledger: Ledger, query: RecordQuery, limit: int = 0, progress: Progress = no_progress
    ) -> Sequence[dict[str, Any]]:
        if query.path is not None:  # the others look for lines in the whole ledger
            searches.append(query.path)
        return newest(ledger, query, limit, progress)

    monkeypatch.setattr(Ledger, "newest", counted)
    assert desk.owners("src/d.py") == "A" * 10
    assert sorted(searches) == [f"src/{name}.py" for name in "abcd"]


def test_shares_tell_how_much_of_a_file_each_intent_wrote(desk: Desk) -> None:
    """Most first, nobody's lines too; what is gone or no text has none."""
    desk.write(desk.a, "src/a.py", RAIN)
    desk.write(desk.b, "src/a.py", RAIN + SNOW)
    desk.unseen("src/a.py", RAIN + SNOW + "unseen()\n")
    desk.unseen("src/empty.py", "")
    (desk.root / "src/logo.png").write_bytes(b"\0")
    workspace = desk.a.engine.workspace(desk.root)
    empty_, found = sorted(
        shares(workspace, ["src/a.py", "src/gone.py", "src/logo.png", "src", "src/empty.py"]), key=lambda s: s.lines
    )
    assert found.by_intent == (("A", 3), ("B", 2), (None, 1))
    assert [found.percent(who) for who in ("A", "B", None, "C")] == [50, 33, 17, 0]
    assert (empty_.lines, empty_.percent("A")) == (0, 0)
