"""The house rules of docs/architecture.md that a machine can hold."""

from __future__ import annotations

import ast
import importlib
import importlib.metadata
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

import intentls

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PACKAGE = ROOT / "server" / "intentls"
SOURCES = sorted(PACKAGE.rglob("*.py"))
MAX_LINES = 400
MAX_ENTRIES = 20
MAX_LATE_IMPORTS = 52
IMPORT = ast.Import | ast.ImportFrom
# The answer is called so in the schemas that MCP clients read.
SHARED_NAMES = frozenset({"Intent"})
PROTOCOLS = {"pygls", "lsprotocol", "mcp"}
# The hook starts anew for every tool call of an agent: what takes long to import is not for it.
WITHOUT_PROTOCOL = ("core", "store", "engine", "faces/hook")
# What they make with every folder above it is no folder of a root: temporary and users' own folders, and the source
# folders that a person writes to.
MAKE_PARENTS = {
    "engine/agents/install_hooks.py",
    "engine/agents/settings_file.py",
    "engine/confinement/writable.py",
    "engine/edits/ungoverned.py",
    "store/confinement/private_view.py",
    "store/confinement/probe.py",
    "store/confinement/run_directory.py",
    "store/git/attributes.py",
    "store/git/ledger_at_commit.py",
    "store/process/linter.py",
    "store/setup/git_hooks.py",
}
# The only places that own a standard output.
MAY_PRINT = ("faces/cli", "faces/hook")


def _below(path: Path, folders: tuple[str, ...]) -> bool:
    return any(path.is_relative_to(PACKAGE / folder) for folder in folders)


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _nodes(path: Path) -> Iterator[ast.AST]:
    return ast.walk(ast.parse(path.read_bytes()))


def _with(paths: Iterable[Path], word: bytes) -> list[Path]:
    """The files in which this word stands: only these need to be parsed."""
    return [path for path in paths if word in path.read_bytes()]


def _imported(path: Path) -> set[str]:
    """Top-level packages that a file imports anywhere, lazily or not."""
    found: set[str] = set()
    for node in _nodes(path):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found


def _prints(path: Path) -> list[int]:
    calls = (node for node in _nodes(path) if isinstance(node, ast.Call))
    return [call.lineno for call in calls if isinstance(call.func, ast.Name) and call.func.id == "print"]


def _names(requirements: Iterable[str]) -> set[str]:
    """The distributions that requirement lines name, spelt the canonical way; an extra of our own is none."""
    names = {_canonical(re.split(r"[^\w.-]", line)[0]) for line in requirements}
    return names - {PROJECT["project"]["name"]}


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_there_is_a_house_to_look_at() -> None:
    """The checks below would also pass on an empty folder; this one would not."""
    assert {"core", "store", "engine", "faces"} <= {path.relative_to(PACKAGE).parts[0] for path in SOURCES}


def test_imports_only_go_down() -> None:
    """import-linter finds each contract of pyproject.toml kept: floors, faces apart, a core without I/O."""
    program = "import sys, importlinter.cli as cli; sys.exit(cli.lint_imports(no_cache=True, no_logo=True))"
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_protocol_below_the_faces() -> None:
    """Core, store and engine know neither LSP nor MCP, and the hook face does without both."""
    found = {_name(path): _imported(path) & PROTOCOLS for path in SOURCES if _below(path, WITHOUT_PROTOCOL)}
    assert {name: names for name, names in found.items() if names} == {}


def test_only_faces_with_a_terminal_print() -> None:
    """Standard output belongs to the protocol or to the command line; a library that prints breaks both."""
    printing = _with([path for path in SOURCES if not _below(path, MAY_PRINT)], b"print")
    found = {_name(path): _prints(path) for path in printing}
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_no_folder_of_a_root_is_made_with_all_above_it() -> None:
    """`make_directory` stops at `.orchestration`, which a server that still runs must not bring back."""
    makers = {
        path.relative_to(PACKAGE).as_posix()
        for path in {*_with(SOURCES, b"mkdir"), *_with(SOURCES, b"makedirs")}
        for node in _nodes(path)
        if isinstance(node, ast.Call)
        and (
            ast.unparse(node.func).endswith("makedirs")
            or (ast.unparse(node.func).endswith("mkdir") and any(word.arg == "parents" for word in node.keywords))
        )
    }
    assert makers == MAKE_PARENTS


def test_no_file_has_two_jobs() -> None:
    """A file over 400 lines is to be split."""
    sizes = {_name(path): len(path.read_bytes().splitlines()) for path in SOURCES}
    assert {name: size for name, size in sizes.items() if size > MAX_LINES} == {}


def test_every_folder_can_be_taken_in_at_a_glance() -> None:
    """No folder of the server shows more than 20 entries; more are two rooms."""
    folders = [PACKAGE, *(path for path in PACKAGE.rglob("*") if path.is_dir() and path.name != "__pycache__")]
    entries = {_name(folder): sum(path.name != "__pycache__" for path in folder.iterdir()) for folder in folders}
    assert {name: count for name, count in entries.items() if count > MAX_ENTRIES} == {}


def test_every_room_is_on_the_architecture_page() -> None:
    """A newcomer finds each folder of a floor in the table of docs/architecture.md, which has at most 30 rows."""
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    rows = re.findall(r"^\| (core|store|engine|faces|clients) \| (.+?) \|", page, flags=re.MULTILINE)
    named = {f"{floor}/{name}" for floor, cell in rows for name in re.findall(r"`([a-z_/-]+?)/?`", cell)}
    rooms = {_name(path.parent).removeprefix("server/intentls/") for path in SOURCES}
    assert rooms - {"server/intentls", "core", "store", "engine", "faces"} - {
        f"faces/{name}" for name in MAY_PRINT
    } <= {
        *named,
        *(name.removeprefix("faces/") for name in named),
        "faces/cli/commands/trace",
    }
    assert len(rows) <= 30


def test_no_class_name_stands_for_two_things() -> None:
    """A name that is searched for leads to one class; the two sides of one protocol may share theirs."""
    owners: dict[str, list[str]] = {}
    for path in _with(SOURCES, b"class "):
        for node in _nodes(path):
            if isinstance(node, ast.ClassDef):
                owners.setdefault(node.name, []).append(_name(path))
    shared = {name: files for name, files in owners.items() if len(files) > 1 and name not in SHARED_NAMES}
    assert shared == {}


def test_no_class_is_a_data_class() -> None:
    """To make one takes fifty times as long as a `msgspec.Struct`, and a short process makes a hundred classes."""
    assert {_name(path) for path in _with(SOURCES, b"dataclasses") if "dataclasses" in _imported(path)} == set()


def test_imports_inside_functions_are_few_and_have_a_reason() -> None:
    """Only an optional library, or what a hook must not load, is imported late; a comment says which it is."""
    late: dict[str, list[int]] = {}
    unexplained: list[str] = []
    for path in SOURCES:
        lines = path.read_text("utf-8").splitlines()
        if not any(line.startswith(" ") and line.lstrip().startswith(("import ", "from ")) for line in lines):
            continue  # to parse all of them takes a while
        functions = [node for node in _nodes(path) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        imports = {node for function in functions for node in ast.walk(function) if isinstance(node, IMPORT)}
        numbers = sorted({node.lineno for node in imports})
        for number in numbers:
            late.setdefault(_name(path), []).append(number)
            first = number
            while first - 1 in numbers:  # one comment serves the imports that stand together
                first -= 1
            if not any("#" in lines[line - 1] for line in (first, first - 1, number)):
                unexplained.append(f"{_name(path)}:{number}")
    assert unexplained == []
    assert sum(map(len, late.values())) <= MAX_LATE_IMPORTS, late


def test_a_module_that_is_loaded_late_is_imported_for_type_checkers() -> None:
    """So a wrong name in it is found, and the check of the layers sees the import."""
    missing: list[str] = []
    for path in _with(SOURCES, b"LateModule"):
        nodes = list(_nodes(path))
        late = {
            str(node.args[0].value)
            for node in nodes
            if isinstance(node, ast.Call)
            and ast.unparse(node.func) == "LateModule"
            and isinstance(node.args[0], ast.Constant)
        }
        imported = {
            f"{node.module}.{alias.name}" for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names
        } | {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
        missing += [f"{_name(path)}: {name}" for name in late - imported]
    assert missing == []


def test_what_is_used_of_a_module_that_is_loaded_late_is_there() -> None:
    """It is looked up when it is called: a rename would show with a user's first request."""
    missing: list[str] = []
    used = 0
    for path in _with(SOURCES, b"LateModule"):
        nodes = list(_nodes(path))
        modules = _late_modules(nodes)
        calls = [node for node in nodes if isinstance(node, ast.Call) and ast.unparse(node.func) == "LateModule"]
        assert len(modules) == len(calls), _name(path)
        for node in nodes:
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
                used += 1
                if not hasattr(importlib.import_module(modules[node.value.id]), node.attr):
                    missing.append(f"{_name(path)}:{node.lineno}: {modules[node.value.id]}.{node.attr}")
    assert missing == []
    assert used > 50


def _late_modules(nodes: Iterable[ast.AST]) -> dict[str, str]:
    """The modules that are loaded late, by the names that stand for them."""
    values = [(ast.unparse(node.targets[0]), node.value) for node in nodes if isinstance(node, ast.Assign)]
    return {
        name: str(ast.literal_eval(value.args[0]))
        for name, value in values
        if isinstance(value, ast.Call) and ast.unparse(value.func) == "LateModule"
    }


def test_what_is_imported_by_name_has_no_name_of_its_own_in_the_source() -> None:
    """`import_module` is for names that are computed: a fixed one is an import, and counts as one."""
    fixed = [
        f"{_name(path)}:{node.lineno}"
        for path in _with(SOURCES, b"import_")
        for node in _nodes(path)
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).endswith(("import_module", "__import__"))
        and isinstance(node.args[0], ast.Constant)
    ]
    assert fixed == []


def test_no_test_waits_without_an_end() -> None:
    """A loop that looks again and again, or as long as a process lives, also looks at a clock: one that hung would
    hang the whole run, and say nothing."""
    endless = [
        f"{_name(path)}:{node.lineno}"
        for path in _with(sorted(Path(__file__).parent.rglob("*.py")), b"while ")
        for node in _nodes(path)
        if isinstance(node, ast.While) and _waits(node) and not _CLOCKS & _called(node)
    ]
    assert endless == []


_CLOCKS = {"monotonic", "time"}


def _waits(loop: ast.While) -> bool:
    only_looks = all(isinstance(step, ast.Pass | ast.Assert) for step in loop.body)
    return only_looks or not _called(loop).isdisjoint({"sleep", "wait", "is_alive", "poll"})


def _called(node: ast.AST) -> set[str]:
    """The names of the functions and methods that are called in it."""
    calls = (call for call in ast.walk(node) if isinstance(call, ast.Call))
    return {ast.unparse(call.func).rpartition(".")[2] for call in calls}


def test_every_module_says_what_it_is_for() -> None:
    """Each file of the server begins with a docstring."""
    assert [_name(path) for path in SOURCES if not ast.get_docstring(ast.parse(path.read_bytes()))] == []


def test_every_library_is_accounted_for() -> None:
    """docs/internals/dependencies.md has a section for each library in pyproject.toml, and for no other."""
    page = (ROOT / "docs" / "internals" / "dependencies.md").read_text("utf-8")
    sections = re.findall(r"^### (.+)$", page, flags=re.MULTILINE)
    extras = PROJECT["project"]["optional-dependencies"].values()
    groups = [PROJECT["build-system"]["requires"], PROJECT["project"]["dependencies"], *extras]
    described = {_canonical(name.strip()) for section in sections for name in section.split(",")}
    assert described == _names(line for group in groups for line in group)


def test_what_is_imported_is_declared() -> None:
    """The server imports each library it asks for, and none that only some other library brings along."""
    extras = PROJECT["project"]["optional-dependencies"]
    required = _names(PROJECT["project"]["dependencies"])
    optional = _names(line for name, group in extras.items() if name != "dev" for line in group)
    owners = importlib.metadata.packages_distributions()
    packages = set().union(*map(_imported, SOURCES)) - sys.stdlib_module_names - {"intentls"}
    imported = {_canonical(owners.get(package, [package])[0]) for package in packages}
    assert {"never imported": required - imported, "not declared": imported - required - optional} == {
        "never imported": set(),
        "not declared": set(),
    }


def test_the_license_is_the_one_we_declare() -> None:
    """LICENSE is the text of the licence that pyproject.toml names."""
    assert PROJECT["project"]["license"] == "Apache-2.0"
    assert "Apache License\n                           Version 2.0" in (ROOT / "LICENSE").read_text("utf-8")


def test_the_changelog_knows_this_version() -> None:
    """The version of the package has its section in CHANGELOG.md."""
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert f"\n## [{intentls.__version__}]" in changelog
