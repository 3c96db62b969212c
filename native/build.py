"""Compiles hook_client.c, for this machine or for another.

    python -m native.build OUTPUT [--target x86_64-linux-musl]

`--target` needs the `ziglang` package, which brings a C compiler for every platform: the same sources and the same
release of it give the same bytes. Without `--target`, the machine's own `cc` will do as well.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import intentls
from intentls.faces.hook import DEFAULT_TIMEOUT_S, daemon_client
from intentls.faces.hook.timeout import ERROR_PREFIX

SOURCE = Path(__file__).with_name("hook_client.c")
_FLAGS = ("-std=c11", "-Wall", "-Wextra", "-Werror", "-Os", "-g0", "-s")
_MAX_EVENT = 8 * 1024 * 1024
"""A larger event goes to the Python program."""
_PASS_ON_S = 30  # more than the Python program waits for the rest of an event
_MAX_TEXT = 100  # bytes after a key; as in `daemon_client`


class NoCompiler(Exception):
    """Neither the `ziglang` package nor a compiler of this machine is there."""


def compiler(target: str | None) -> list[str]:
    """The command that compiles for `target`, or for this machine. Raises NoCompiler."""
    if target is None and (program := shutil.which("cc")):
        return [program]
    if importlib.util.find_spec("ziglang") is None:
        raise NoCompiler("there is no C compiler here; `pip install 'intentls[client]'` brings one")
    zig = [sys.executable, "-m", "ziglang", "cc"]
    return zig if target is None else [*zig, "-target", target]


def compile_client(output: Path, target: str | None = None) -> None:
    """Write the program for `target` (zig's name of a platform) to `output`.

    Raises NoCompiler, and CalledProcessError where the compiler fails.
    """
    command = compiler(target)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(SOURCE, folder)
        (folder / "hook_tables.h").write_text(tables(), encoding="ascii")
        # Names of folders would make two builds differ.
        subprocess.run([*command, *_FLAGS, SOURCE.name, "-o", "program"], cwd=folder, check=True)
        shutil.copy(folder / "program", output)
    output.chmod(0o755)


def tables() -> str:
    """The header with all that the client knows of the Python program."""
    refused = "intentls: refused, because the hook can't start. Reinstall intentls.\n"
    timed_out = f"{ERROR_PREFIX}no answer was found within {DEFAULT_TIMEOUT_S:g} seconds. Try again.\n"
    lines = [
        "/* made by build.py */",
        _define("VERSION", intentls.__version__),
        _define("CLIENT_VARIABLE", daemon_client.CLIENT_VARIABLE),
        _define("DAEMON_VARIABLE", daemon_client.DAEMON_VARIABLE),
        _define("DAEMON_OFF", daemon_client.DAEMON_OFF),
        _define("CANT_START", refused),
        _define("TIMED_OUT", timed_out),
        _define("NOT_WRITTEN", f"{ERROR_PREFIX}the answer could not be written.\n"),
        f"#define TIMEOUT_MS {DEFAULT_TIMEOUT_S * 1000:.0f}",
        f"#define MAX_ANSWER_MS {daemon_client.MAX_ANSWER_S * 1000:.0f}",
        f"#define PASS_ON_S {_PASS_ON_S}",
        f"#define MAX_EVENT {_MAX_EVENT}",
        f"#define MAX_TEXT {_MAX_TEXT}",
        "typedef struct {",
        "  const char *name, *event_key, *event, *tool_key, *const *tools;",
        "} Agent;",
        "static const Agent AGENTS[] = {",
    ]
    for agent, ((event_key, event), (tool_key, tools)) in daemon_client.DAEMON_SAFE_TOOLS.items():
        names = ", ".join([*(_text(tool.decode()) for tool in sorted(tools)), "NULL"])
        words = ", ".join(_text(word) for word in (agent, event_key.decode(), event.decode(), tool_key.decode()))
        lines.append(f"  {{{words}, (const char *const[]){{{names}}}}},")
    return "\n".join([*lines, "  {NULL, NULL, NULL, NULL, NULL}};", ""])


def _define(name: str, text: str) -> str:
    return f"#define {name} {_text(text)}"


def _text(text: str) -> str:
    return json.dumps(text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compile as the command line says; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=Path)
    parser.add_argument("--target", help="zig's name of a platform, such as aarch64-macos.11.0")
    options = parser.parse_args(arguments)
    compile_client(options.output, options.target)
    return 0


if __name__ == "__main__":
    sys.exit(main())
