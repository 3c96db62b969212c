"""Formatters over real sources: what a formatter did must be called formatting. `python accuracy/formatters.py`.

Public packages are fetched by name and version from PyPI, npm and Debian into `accuracy/.cache`, and so are the
formatters; what this computer has no tool for is left out and says so. Each file is one pair: as its authors
left it, and as a formatter left it with one of its settings. Pairs that are equal are not counted. Sources that are
formatted already (Go) lose their layout first: the pair is what was left, and what the formatter made of it again.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from intentls.core.mutation.classes import Change, MutationClass
from intentls.core.mutation.classify import classify_change
from intentls.core.mutation.file_class import FileClass
from intentls.core.mutation.file_versions import FileVersions
from intentls.engine.actions.mutation_class import Mutation
from intentls.engine.actions.request import PlannedEdit

HERE = Path(__file__).parent
CACHE = HERE / ".cache" / "formatters"
RESULTS = HERE / "results" / "formatters.json"
_NODES = 20_000_000
_LARGEST = 400_000  # bytes of a source
_LEFT_OUT = frozenset({"testdata", "site-packages", "lib2to3", "test", "bad"})
_BUILT = frozenset({"build", "build-module", "libs"})
_OTHER = re.compile(rb"@flow|^#import|@interface|@protocol|@class", re.MULTILINE)  # Flow, Objective-C
_MISSES = 5  # named in the results, of each formatter

PIP_TOOLS = ("black==26.10.1", "ruff==0.17.6", "clang-format==23.1.5")
NPM_TOOLS = ("prettier@3.10.1", "prettier-plugin-java@2.6.0")
PIP_SOURCES = ("django==4.2.11", "docutils==0.20.1", "pycparser==2.21", "sqlalchemy==2.0.28")
# Files that differ between two releases: edits of all sizes.
RELEASES = (
    ("django==4.2.11", "django==4.2.16"),
    ("sqlalchemy==2.0.28", "sqlalchemy==2.0.31"),
    ("rxjs_7_8_1", "rxjs_7_5_7"),
)
_CODE = (".py", ".js", ".ts")
NPM_SOURCES = (
    *("@wordpress/components@27.0.0", "@wordpress/block-editor@12.20.0", "rxjs@7.8.1", "three@0.162.0"),
    *("@tanstack/react-query@5.28.0", "react-native@0.73.6", "reveal.js@5.0.4", "bootstrap@5.3.3", "bulma@0.9.4"),
)
DEBIAN_SOURCES = ("librust-regex-dev", "librust-clap-dev", "librust-tokio-dev", "librust-syn-dev", "librust-rayon-dev")


@dataclass(frozen=True, slots=True)
class Run:
    """One formatter with one setting. `suffix` is that of its files, of at most `most` from the corpora.

    `command` formats all files of a folder in place. `spoil` takes the layout of what is formatted already.
    """

    name: str
    suffix: str
    command: tuple[str, ...]
    most: int = 300
    spoil: Callable[[str], str] | None = None


def main() -> None:
    """Print a line for each formatter, and write the results."""
    tools, sources = _tools(), _sources()
    table = []
    for run in _runs(tools):
        row = _measured(run, sources)
        if row is not None:
            table.append(row)
            sys.stdout.write(f"{json.dumps(row)}\n")
            sys.stdout.flush()
    latency = latencies(_edits(sources))
    sys.stdout.write(f"{json.dumps(latency)}\n")
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps({"formatters": table, "latency": latency}, indent=2) + "\n", "utf-8")


def _runs(tools: Path) -> Iterator[Run]:
    python = tools / "bin"
    black = str(python / "black")
    for name, options in {
        "black": (),
        "black, lines of 60, no magic commas": ("-l", "60", "-C"),
        "black, lines of 120": ("-l", "120"),
        "black --preview": ("--preview",),
    }.items():
        yield Run(name, ".py", (black, "-q", *options, "*"), 100 if "--preview" in options else 600)
    ruff = (str(python / "ruff"), "format", "-q", "--no-cache", "--isolated")
    yield Run("ruff format", ".py", (*ruff, "*"), 600)
    yield Run("ruff format, lines of 79", ".py", (*ruff, "--line-length", "79", "*"), 600)
    prettier = (_found("npx"), "--prefix", str(tools), "prettier", "--no-config", "--log-level=silent", "--write")
    prettier = (*prettier, "--embedded-language-formatting=off")  # what stands in a text is text
    for suffix in (".js", ".jsx", ".ts", ".tsx", ".css", ".json", ".yaml"):
        yield Run(f"prettier {suffix}", suffix, (*prettier, "*"))
    single = ("--single-quote", "--no-semi", "--trailing-comma=none", "--print-width=60", "--arrow-parens=avoid")
    for suffix in (".js", ".ts", ".tsx"):
        yield Run(f"prettier {suffix}, other settings", suffix, (*prettier, *single, "*"))
    java = str(tools / "node_modules" / "prettier-plugin-java" / "dist" / "index.js")
    yield Run("prettier .java", ".java", (*prettier, f"--plugin={java}", "*"))
    for style in ("LLVM", "Google", "WebKit"):
        clang = (str(python / "clang-format"), "-i", f"--style={{BasedOnStyle: {style}, SortIncludes: Never}}")
        for suffix in (".c", ".h", ".cpp"):
            yield Run(f"clang-format {style} {suffix}", suffix, (*clang, "*"), 200)
    if found := shutil.which("gofmt"):
        yield Run("gofmt", ".go", (found, "-w", "."), 600, without_layout)
    if found := shutil.which("rustfmt"):
        for width in ("100", "60"):
            rust = (found, "--edition=2021", "--config", f"max_width={width},use_small_heuristics=Max", "*")
            yield Run(f"rustfmt, lines of {width}", ".rs", rust)


def without_layout(source: str) -> str:
    """The source without indentation and alignment, where no text or comment is in the line."""
    lines = source.split("\n")
    if "`" in source or "/*" in source:
        return source
    return "\n".join(
        re.sub(r"[ \t]+", " ", line.lstrip()) if not re.search(r"[\"']|//", line) else line for line in lines
    )


def _measured(run: Run, sources: dict[str, list[Path]]) -> dict[str, object] | None:
    found: list[FileClass] = []
    for name, before, after in pairs(run, sources):
        found.extend(classify_change([FileVersions(name, Change.MODIFY, before, after)], nodes=_NODES))
    if not found:
        return None
    read = [verdict for verdict in found if "does not parse" not in verdict.reasons[0]]
    formatting = [verdict for verdict in read if verdict.mutation_class is MutationClass.DOCUMENTATION]
    order = [verdict for verdict in read if verdict.reasons == ("import order",)]
    missed = [verdict for verdict in read if verdict not in formatting and verdict not in order]
    return {  # what a grammar can't read (in C++: macros) is counted apart
        "formatter": run.name,
        "pairs": len(read),
        "not_parsed": len(found) - len(read),
        "documentation": len(formatting),
        "import_order": len(order),
        "share": round((len(formatting) + len(order)) / max(1, len(read)), 4),
        "missed": [f"{verdict.path}: {'; '.join(verdict.reasons)}" for verdict in missed[:_MISSES]],
    }


def pairs(run: Run, sources: dict[str, list[Path]]) -> Iterator[tuple[str, bytes, bytes]]:
    """Name, before and after of each file that the formatter changed."""
    work = CACHE / "work"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    before: dict[Path, bytes] = {}
    for number, path in enumerate(_spread(_kept(sources.get(run.suffix, [])), run.most)):
        data = path.read_bytes()
        if run.spoil is not None:
            data = run.spoil(data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
        target = work / f"{number:04}_{path.name}"
        target.write_bytes(data)
        before[target] = data
    names = [str(target) for target in sorted(before)]
    whole = [run.command[:-1] + tuple(names)] if run.command[-1] == "*" else [run.command]
    if "rustfmt" in run.command[0]:  # one that it can't read stops it
        whole = [(*run.command[:-1], name) for name in names]
    for command in whole:
        subprocess.run(command, cwd=work, capture_output=True, check=False)
    for target, data in before.items():
        after = target.read_bytes()
        if after != data:
            yield target.name, data, after


def latencies(edits: Iterable[tuple[str, bytes, bytes]]) -> dict[str, object]:
    """Processor milliseconds to class one file's edit, within the limits of a guarded write."""
    spent, late = [], 0
    for name, before, after in edits:
        start = time.process_time()
        verdict = Mutation.of([PlannedEdit(name, Change.MODIFY, before, after)], MutationClass.DOCUMENTATION)
        spent.append((time.process_time() - start) * 1000)
        late += any("timeout" in reason or "too large" in reason for reason in verdict.reasons)
    spent.sort()
    return {
        "edits": len(spent),
        "median_ms": round(spent[len(spent) // 2], 1),
        "p95_ms": round(spent[len(spent) * 95 // 100], 1),
        "p99_ms": round(spent[len(spent) * 99 // 100], 1),
        "given_up": late,
    }


def _edits(sources: dict[str, list[Path]]) -> Iterator[tuple[str, bytes, bytes]]:
    """What two releases of the same packages made of a file, as one edit; small files and large ones."""
    folder = CACHE / "sources"
    for old, new in RELEASES:
        for path in (path for paths in sources.values() for path in paths):
            if old in path.parts and path.suffix in _CODE:
                other = folder / new / path.relative_to(folder / old)
                before, after = path.read_bytes(), other.read_bytes() if other.exists() else b""
                if after and before != after:
                    yield path.name, before, after


def _kept(paths: list[Path]) -> list[Path]:
    """Without what was built from sources that are there too."""
    return [path for path in paths if _BUILT.isdisjoint(path.parts)]


def _spread(paths: list[Path], most: int) -> list[Path]:
    """At most so many, from all over the list."""
    step = max(1, len(paths) // most)
    return paths[::step][:most]


def _sources() -> dict[str, list[Path]]:
    folder = CACHE / "sources"
    folder.mkdir(parents=True, exist_ok=True)
    for package in (*PIP_SOURCES, *(new for _, new in RELEASES if "==" in new)):
        if not (folder / package).exists():
            _call(
                sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(CACHE / "pip" / package), package
            )
            for wheel in (CACHE / "pip" / package).glob("*.whl"):
                with zipfile.ZipFile(wheel) as archive:
                    archive.extractall(folder / package)
    for package in (*NPM_SOURCES, "rxjs@7.5.7"):
        target = folder / re.sub(r"\W", "_", package)
        if not target.exists():
            name = _call(_found("npm"), "pack", "--silent", package, where=CACHE).strip().splitlines()[-1]
            with tarfile.open(CACHE / name) as archive:
                archive.extractall(target, filter="data")
    for package in DEBIAN_SOURCES:
        if not (folder / package).exists() and shutil.which("apt-get") and shutil.which("dpkg-deb"):
            (CACHE / package).mkdir(exist_ok=True)
            _call("apt-get", "download", package, where=CACHE / package)
            for archive_path in (CACHE / package).glob("*.deb"):
                _call("dpkg-deb", "-x", str(archive_path), str(folder / package))
    newer = {new for _, new in RELEASES}
    found: dict[str, list[Path]] = {}
    go = Path("/usr/lib/go/src")  # where Debian's compiler has the sources of its library
    library = Path(sysconfig.get_paths()["stdlib"])
    for place in (folder, library, *([go.resolve()] if go.exists() else [])):
        for path in sorted(place.rglob("*")):
            is_made = path.name.endswith((".min.js", ".d.ts", ".min.css")) or not _LEFT_OUT.isdisjoint(path.parts)
            is_made = is_made or not newer.isdisjoint(path.parts)
            if path.is_file() and not path.is_symlink() and not is_made and 200 < path.stat().st_size < _LARGEST:
                suffix = {".yml": ".yaml", ".cc": ".cpp", ".mjs": ".js"}.get(path.suffix, path.suffix)
                if suffix not in (".js", ".h", ".cpp", ".c") or not _OTHER.search(path.read_bytes()):
                    found.setdefault(suffix, []).append(path)
    found[".jsx"] = [path for path in found.get(".js", []) if b"</" in path.read_bytes()]
    return found


def _tools() -> Path:
    folder = CACHE / "tools"
    if not (folder / "node_modules").exists():
        _call(sys.executable, "-m", "venv", str(folder))
        _call(str(folder / "bin" / "pip"), "install", "-q", *PIP_TOOLS)
        _call(_found("npm"), "install", "--silent", "--no-audit", "--prefix", str(folder), *NPM_TOOLS)
    return folder


def _found(program: str) -> str:
    path = shutil.which(program)
    if path is None:
        raise SystemExit(f"{program} is needed")
    return path


def _call(*command: str, where: Path | None = None) -> str:
    return subprocess.run(command, cwd=where, capture_output=True, check=True, text=True).stdout


if __name__ == "__main__":
    main()
