"""Names: what is protected under any spelling, and what can't name a file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intentls.core.errors import InvalidPath
from intentls.core.patterns.protected_paths import (
    check_name,
    check_windows_name,
    is_agent_settings,
    is_declared_file,
    is_intents_file,
    is_protected,
    is_single_intent_file,
)
from intentls.engine.agents.install_hooks import AGENTS, Scripts

SPELLINGS_OF_GIT = [
    ".git",
    ".GIT",
    ".Git",
    ".git.",
    ".git ",
    ".git . .",
    ".git::$INDEX_ALLOCATION",
    ".git:$I30:$INDEX_ALLOCATION",
    ".git .::$DATA",
    "git~1",
    "GIT~1",
    "git~12",
    "git~1.",
    "gi7eba~1",
    ".g\u200cit",
    "\ufeff.git",
    ".gi\u00adt",
    ".g\u0131t",
    ".g\u0131T",
]
SPELLINGS_OF_ORCHESTRATION = [
    ".orchestration",
    ".Orchestration",
    ".ORCHESTRATION. ",
    ".orchestration::$DATA",
    "orches~1",
    "ORCHES~2",
    "orch~100",
    "or12cd~1",
    ".orche\u017ftration",
    ".orche\ufb06ration",
    ".orchestra\u200dtion",
]
HARMLESS = [
    "src/a.py",
    ".gitignore",
    ".gitattributes",
    ".github/workflows/ci.yaml",
    "git",
    "orchestration/x",
    "a.git/config",
    ".git2",
    "git~",
    "git~x",
    "orange~1",
    "or~",
    ".intentignore",
    "naïve/ünïcode.txt",
    "..git",
    " .git",
    "a:.git",
]


@pytest.mark.parametrize("name", SPELLINGS_OF_GIT + SPELLINGS_OF_ORCHESTRATION)
def test_every_spelling_that_some_file_system_folds_is_protected(name: str) -> None:
    """Whatever a file system takes for `.git` or `.orchestration` is protected on every platform."""
    assert is_protected(name)
    assert is_protected(f"{name}/config")
    assert is_protected(f"vendor/lib/{name}/hooks/pre-commit")
    assert is_protected(f"vendor\\{name}\\config")


@pytest.mark.parametrize("path", HARMLESS)
def test_names_that_only_look_similar_are_not_protected(path: str) -> None:
    """`.gitignore`, `.github`, `orchestration/` and the like are ordinary files."""
    assert not is_protected(path)


AGENT_SETTINGS = [
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".Claude/SETTINGS.JSON",
    ".claude./settings.json ",
    ".claude/settings.json::$DATA",
    "claude~1/settin~1.jso",
    ".claude/se3f1a~2.jso",
    ".cl\u200caude/settings.json",
    ".claude\\settings.json",
    ".cursor/hooks.json",
    ".cursor/mcp.json",
    "CURSOR~1/HOOKS~1.JSO",
    ".codex",
    ".codex/config.toml",
    ".codex/deep/er/x",
    ".gemini/settings.json",
    ".clinerules/hooks/PreToolUse",
    ".CLINERULES/hooks",
    ".mcp.json",
    ".MCP.json",
    "mcp~1.jso",
    ".vscode/mcp.json",
]
NO_AGENT_SETTINGS = [
    ".claude/CLAUDE.md",
    ".claude/commands/settings.json",
    ".claude/my-settings.json",
    ".claude/settings.json.md",
    "claude/settings.json",
    ".cursor/rules/style.mdc",
    ".clinerules/style.md",
    ".clinerules/hooks.md",
    ".codexes/x",
    "src/.codex.py",
    "mcp.json",
    "a.mcp.json",
    ".vscode/settings.json",
    "settings.json",
]


@pytest.mark.parametrize("path", AGENT_SETTINGS)
def test_the_settings_of_agents_are_known_in_every_folder_and_spelling(path: str) -> None:
    """What makes an agent call the gate is recognised at the root and below."""
    assert is_agent_settings(path)
    assert is_agent_settings(f"apps/web/{path}")


@pytest.mark.parametrize("path", NO_AGENT_SETTINGS)
def test_other_files_of_agents_are_ordinary(path: str) -> None:
    """Instructions, rules and files of similar names are no settings."""
    assert not is_agent_settings(path)
    assert not is_agent_settings(f"apps/web/{path}")


def test_every_file_that_init_writes_for_an_agent_is_such_a_setting() -> None:
    """An agent that is added to `init` is protected with it."""
    for hooks in AGENTS.values():
        files = [f"{hooks.folder}/{name}" for name in hooks.names] if isinstance(hooks, Scripts) else [hooks.path]
        assert all(map(is_agent_settings, files)), files


@given(
    st.sampled_from([".git", ".orchestration"]),
    st.randoms(use_true_random=False),
    st.text(alphabet=". ", max_size=5),
    st.lists(st.sampled_from("\u200b\u200c\u200d\u2060\ufeff\u00ad"), max_size=3),
)
def test_case_endings_and_ignorable_characters_combine(
    name: str, random: object, ending: str, ignorable: list[str]
) -> None:
    """Any mix of case, trailing dots or spaces and ignorable characters is still the protected name."""
    from random import Random

    assert isinstance(random, Random)
    letters = [random.choice((letter.lower(), letter.upper())) for letter in name]
    for character in ignorable:
        letters.insert(random.randrange(len(letters) + 1), character)
    assert is_protected("a/" + "".join(letters) + ending + "/b")


@given(st.text(alphabet="abcxyz0189_-", min_size=1, max_size=30))
def test_plain_names_are_never_protected(name: str) -> None:
    """No name of plain letters and digits is taken for a protected one."""
    assert not is_protected(name)


@pytest.mark.parametrize("name", ["INT-007.yaml", "fix login (ada).yaml", "ä.yaml"])
def test_each_yaml_file_in_the_folder_of_intents_declares_an_intent(name: str) -> None:
    """It is protected as the list is, and a scope that names it opens it."""
    path = f".orchestration/intents/{name}"
    assert is_intents_file(path)
    assert is_single_intent_file(path)
    assert is_declared_file(path)
    assert is_protected(path)


@pytest.mark.parametrize(
    "path",
    [
        ".orchestration/intents/.INT-007.yaml",
        ".orchestration/intents/.#INT-007.yaml",
        ".orchestration/intents/INT-007.yaml~",
        ".orchestration/intents/INT-007.yml",
        ".orchestration/intents/old/INT-007.yaml",
        ".orchestration/INT-007.yaml",
        ".Orchestration/intents/INT-007.yaml",
        "sub/.orchestration/intents/INT-007.yaml",
        ".orchestration/intents/a\n.yaml",
        ".orchestration/intents",
    ],
)
def test_other_files_beside_them_declare_nothing_and_stay_protected(path: str) -> None:
    """What an editor leaves there is no intent, and no scope opens it."""
    assert not is_intents_file(path)
    assert not is_declared_file(path)
    assert is_protected(path)


def test_the_list_of_intents_is_not_the_file_of_one() -> None:
    """Both declare intents, in different forms."""
    assert not is_single_intent_file(".orchestration/active_intents.yaml")


def test_the_intents_file_is_known_by_its_exact_path_alone() -> None:
    """Only `.orchestration/active_intents.yaml` at the root, spelled so, is the intents file."""
    assert is_intents_file(".orchestration/active_intents.yaml")
    assert is_protected(".orchestration/active_intents.yaml")
    for other in (
        ".Orchestration/active_intents.yaml",
        ".orchestration/Active_intents.yaml",
        "sub/.orchestration/active_intents.yaml",
        "./.orchestration/active_intents.yaml",
        ".orchestration/active_intents.yaml.",
        ".orchestration/policy.yaml",
    ):
        assert not is_intents_file(other)


@pytest.mark.parametrize(
    ("given_path", "words"),
    [
        ("", "is empty"),
        ("a\0b", "NUL byte"),
        ("a/\ud800", "half a surrogate pair"),
        ("a/" * 2049, "4098 bytes"),
        ("é" * 128, "256 bytes"),
        ("a/" + "x" * 256 + "/b", "256 bytes"),
    ],
)
def test_impossible_names_are_refused_with_a_sentence(given_path: str, words: str) -> None:
    """The refusal says what is wrong with the name and stays one short line."""
    with pytest.raises(InvalidPath, match=words) as caught:
        check_name(given_path)
    assert len(str(caught.value)) < 250
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["a", "~", "x" * 255, "a/" * 2047 + "ab", "c:\\" + "x" * 255, "ünï/日本", "a b\t"])
def test_possible_names_pass(name: str) -> None:
    """Names up to the limits pass, whatever characters they are made of."""
    check_name(name)


@pytest.mark.parametrize(
    ("rel", "words"),
    [
        ("src/a.py:stream", "colon"),
        ("src/a.py::$DATA", "colon"),
        ("NUL", "device"),
        ("logs\\com1.txt", "device"),
        ("src/LPT¹", "device"),
        ("CONIN$", "device"),
        ("src/a.py.", "ends in a dot or a space"),
        ("dir /a.py", "ends in a dot or a space"),
    ],
)
def test_names_that_mean_something_else_on_windows_are_refused_there(rel: str, words: str) -> None:
    """Streams, devices and endings that Windows drops would get past a rule for the real name."""
    with pytest.raises(InvalidPath, match=words):
        check_windows_name(rel)


@pytest.mark.parametrize("rel", ["src\\a.py", "../b/./c", "console.py", "com10.txt", "null", ""])
def test_ordinary_names_pass_on_windows(rel: str) -> None:
    """Only whole device names are devices, and `..` is no name."""
    check_windows_name(rel)
