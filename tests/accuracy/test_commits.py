"""The labelled commits: what the files say, the drawing, and the measuring on a repository of three commits."""

from __future__ import annotations

import subprocess
from collections import Counter
from pathlib import Path

import pytest
from accuracy.commit_corpus import (
    LABELS,
    SECOND_PASS,
    Project,
    UnreachableError,
    history,
    read_projects,
    read_second_pass,
)
from accuracy.commit_draw import STRATA, draw
from accuracy.commits import CLASSES, errors, predict, report

from accuracy import commits as measuring

pytest.importorskip("tree_sitter")

PARSE = "def parse(text):\n    return text.strip()\n"
USE = "from town.city import parse\n\nprint(parse('a'))\n"


def git(top: Path, *arguments: str) -> str:
    """Git in `top`, as somebody without a configuration."""
    person = ["-c", "user.name=a", "-c", "user.email=a@b.example", "-c", "commit.gpgSign=false"]
    command = ["git", "-C", str(top), *person, *arguments]
    return subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout.strip()


def commit(top: Path, subject: str, files: dict[str, str]) -> str:
    """A commit with these contents; its id."""
    for path, content in files.items():
        (top / path).parent.mkdir(parents=True, exist_ok=True)
        (top / path).write_text(content, "utf-8", newline="\n")
    git(top, "add", "--all")
    git(top, "commit", "--quiet", "-m", subject)
    return git(top, "rev-parse", "HEAD")


@pytest.fixture
def town(tmp_path: Path) -> tuple[Path, list[str]]:
    """A repository, and its commits: the first, a comment, a rename, a change of behaviour."""
    top = tmp_path / "hosts" / "a" / "town"
    top.mkdir(parents=True)
    git(top, "init", "--quiet")
    git(top, "config", "core.autocrlf", "false")
    return top, [
        commit(top, "Begin", {"town/city.py": PARSE, "town/use.py": USE}),
        commit(top, "Fix a typo", {"town/city.py": "# To parse.\n" + PARSE}),
        commit(
            top,
            "Rename parse",
            {"town/city.py": PARSE.replace("parse", "parse_city"), "town/use.py": USE.replace("parse", "parse_city")},
        ),
        commit(top, "Print b", {"town/use.py": USE.replace("parse", "parse_city").replace("'a'", "'b'")}),
    ]


def labelled(folder: Path, rows: list[tuple[str, str, str, str, str]]) -> Project:
    """The project that a file of these rows says: commit, path, draw, label, needs."""
    lines = ["# repository\ta/town", "# split\tdev", "# until\tx"]
    lines += ["# population\twords\t3 commits\t6 files", "# population\tothers\t9 commits\t18 files"]
    lines += ["commit\tpath\tdraw\tlabel\tneeds\trule\twhy", *("\t".join((*row, "rule", "why")) for row in rows)]
    (folder / "python").mkdir(parents=True)
    (folder / "python" / "a+town.tsv").write_text("\n".join(lines) + "\n", "utf-8")
    (project,) = read_projects(folder)
    return project


def town_labels(folder: Path, commits: list[str]) -> Project:
    """The town's commits, labelled as they are."""
    return labelled(
        folder,
        [
            (commits[1], "town/city.py", "words", "DOCUMENTATION", "file"),
            (commits[2], "town/city.py", "words", "AST_REFACTOR", "set"),
            (commits[2], "town/use.py", "words", "AST_REFACTOR", "set"),
            (commits[3], "town/use.py", "others", "INTENT_EVOLUTION", "file"),
        ],
    )


def test_the_corpus_has_forty_two_projects_in_six_languages_and_two_parts() -> None:
    """What the page says of it; a change has one label, and a project is in one part."""
    projects = read_projects()
    labels = [label for project in projects for label in project.labels]
    assert len(labels) >= 1700
    assert len({label.key for label in labels}) == len(labels)
    assert set(Counter(project.language for project in projects).values()) == {7}
    assert {len({label.split for label in project.labels}) for project in projects} == {1}
    assert Counter(project.labels[0].split for project in projects) == {"dev": 30, "held-out": 12}
    assert {label.mutation_class for label in labels} == set(CLASSES)
    assert {label.draw for label in labels} == set(STRATA)
    assert all(len(label.commit) == 40 and label.rule and label.why for label in labels)


def test_the_second_pass_is_of_labelled_changes() -> None:
    """A hundred of them, each once."""
    second = read_second_pass()
    assert len(second) == len(SECOND_PASS.read_text("utf-8").splitlines()) - 1 == 100
    assert second.keys() <= {label.key for project in read_projects(LABELS) for label in project.labels}


def test_a_label_weighs_what_it_stands_for(tmp_path: Path, town: tuple[Path, list[str]]) -> None:
    """Three labels stand for a quarter of the changes that could be drawn, one stands for the rest."""
    project = town_labels(tmp_path / "labels", town[1])
    assert [label.weight for label in project.labels] == pytest.approx([1 / 3, 1 / 3, 1 / 3, 3])


def test_each_change_is_judged_alone_and_with_its_commit(tmp_path: Path, town: tuple[Path, list[str]]) -> None:
    """A rename in two files shows only beside the other file; git's white space sees neither."""
    top, commits = town
    project = town_labels(tmp_path / "labels", commits)
    predictions = list(predict([project], lambda _: top))
    assert [(item.alone, item.together) for item in predictions] == [
        ("DOCUMENTATION", "DOCUMENTATION"),
        ("INTENT_EVOLUTION", "AST_REFACTOR"),
        ("INTENT_EVOLUTION", "AST_REFACTOR"),
        ("INTENT_EVOLUTION", "INTENT_EVOLUTION"),
    ]
    result = report(predictions, {project.labels[0].key: "INTENT_EVOLUTION", project.labels[1].key: "AST_REFACTOR"})
    assert result["splits"]["dev"]["set"]["recall"]["AST_REFACTOR"]["hits"] == 2
    assert result["splits"]["dev"]["alone"]["recall"]["AST_REFACTOR"]["hits"] == 0
    assert result["splits"]["dev"]["spaces"]["recall"]["DOCUMENTATION"]["hits"] == 0
    assert result["needs"]["set"]["of"] == 2
    assert 0 < result["cost"]["median_ms"] <= result["cost"]["most_ms"]
    assert {item.commit_seconds for item in predictions[1:3]} == {predictions[1].commit_seconds}
    assert result["commit_cost"]["most_ms"] == round(1000 * max(item.commit_seconds for item in predictions), 1)
    assert (result["agreement"]["hits"], result["agreement"]["of"]) == (1, 2)
    assert result["weighted"]["set"]["INTENT_EVOLUTION"] == {"precision": 1.0, "recall": 1.0, "frequency": 0.75}
    assert (result["dev_errors"], result["must_not_happen"], errors(predictions, "dev")) == ([], [], "")


def test_errors_are_listed_and_a_behaviour_change_called_a_refactor_must_not_happen(
    tmp_path: Path, town: tuple[Path, list[str]]
) -> None:
    """Here by labels that are wrong on purpose."""
    top, commits = town
    rows = [(commits[1], "town/city.py", "words", "INTENT_EVOLUTION", "file")]
    rows += [(commits[3], "town/use.py", "others", "AST_REFACTOR", "file")]
    predictions = list(predict([labelled(tmp_path / "labels", rows)], lambda _: top))
    result = report(predictions, {})
    assert [error["path"] for error in result["dev_errors"]] == ["town/city.py", "town/use.py"]
    assert [error["path"] for error in result["must_not_happen"]] == ["town/city.py"]
    assert "## INTENT_EVOLUTION called DOCUMENTATION, rule rule: 1" in errors(predictions, "dev")
    assert errors(predictions, "held-out") == ""


def test_only_the_labelled_commits_and_their_parents_are_fetched(tmp_path: Path, town: tuple[Path, list[str]]) -> None:
    """From whatever host; the second time without it."""
    top, commits = town
    rows = [(commits[2], "town/use.py", "words", "AST_REFACTOR", "set")]
    project = labelled(tmp_path / "labels", rows)
    kept = history(project, tmp_path / "kept", (tmp_path / "hosts").as_uri())
    assert set(git(kept, "rev-list", commits[2]).split()) == set(commits[1:3])
    top.rename(top.with_name("gone"))
    assert history(project, tmp_path / "kept", (tmp_path / "hosts").as_uri()) == kept


def test_a_commit_without_its_parent_is_fetched_again(tmp_path: Path, town: tuple[Path, list[str]]) -> None:
    """As an interrupted or a shallower fetch leaves it."""
    top, commits = town
    project = labelled(tmp_path / "labels", [(commits[2], "town/use.py", "words", "AST_REFACTOR", "set")])
    shallow = tmp_path / "kept" / "a+town"
    shallow.mkdir(parents=True)
    git(shallow, "init", "--quiet")
    git(shallow, "fetch", "--quiet", "--depth=1", top.as_uri(), commits[2])
    kept = history(project, tmp_path / "kept", (tmp_path / "hosts").as_uri())
    assert git(kept, "rev-parse", f"{commits[2]}^") == commits[1]


def test_a_change_of_spaces_alone_is_documentation_for_the_baseline(
    tmp_path: Path, town: tuple[Path, list[str]]
) -> None:
    """Which is what `git diff -w` says of an indentation, too."""
    top, _ = town
    wider = commit(top, "Print once", {"town/use.py": "if 1:\n    print('b')\n"})
    indented = commit(top, "Indent", {"town/use.py": "if 1:\n        print('b')\n"})
    rows = [(change, "town/use.py", "others", "INTENT_EVOLUTION", "file") for change in (wider, indented)]
    predictions = predict([labelled(tmp_path / "labels", rows)], lambda _: top)
    assert [item.spaces for item in predictions] == [False, True]


def test_a_repository_out_of_reach_is_an_error_of_its_own(tmp_path: Path, town: tuple[Path, list[str]]) -> None:
    """So that the measuring can say so in a sentence."""
    project = town_labels(tmp_path / "labels", town[1])
    with pytest.raises(UnreachableError, match="a/town"):
        history(project, tmp_path / "kept", (tmp_path / "nowhere").as_uri())


def test_without_network_nothing_is_measured_and_a_sentence_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The results of the last time stay."""

    def out_of_reach(project: Project) -> Path:
        raise UnreachableError(project.repository)

    monkeypatch.setattr(measuring, "history", out_of_reach)
    monkeypatch.setattr(measuring, "RESULTS", tmp_path)
    measuring.main()
    assert "can't be fetched, so nothing is measured" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_the_drawing_depends_on_names_alone(town: tuple[Path, list[str]]) -> None:
    """Words of the subject make the stratum; created files are left out; the same again is the same."""
    top, commits = town
    populations, drawn = draw(top, "a/town", "python")
    assert [(population.stratum, population.commits, population.files) for population in populations] == [
        ("words", 2, 3),
        ("others", 1, 1),
    ]
    assert {(change.commit, change.path) for change in drawn} == {
        (commits[1], "town/city.py"),
        (commits[2], "town/city.py"),
        (commits[2], "town/use.py"),
        (commits[3], "town/use.py"),
    }
    assert draw(top, "a/town", "python")[1] == drawn
    assert draw(top, "a/town", "rust")[1] == []
