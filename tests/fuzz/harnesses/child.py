"""One target under atheris: `python -m tests.fuzz.harnesses.child NAME CORPUS [libFuzzer's options]`."""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["intentls"]):
    from tests.fuzz.harnesses.targets import TARGETS, Target


def main(arguments: list[str]) -> None:
    """Fuzz until the options say stop; what fails is written where `-artifact_prefix` says."""
    name, corpus, *options = arguments
    target, folder = TARGETS[name], Path(corpus)
    folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(target.seeds):
        (folder / f"seed-{number}").write_bytes(seed)
    words = folder.parent / "words"
    words.write_text(_dictionary(target))
    atheris.Setup([sys.argv[0], f"-dict={words}", *options, corpus], target.run)
    atheris.Fuzz()


def _dictionary(target: Target) -> str:
    """The words in libFuzzer's own notation."""
    quoted = ("".join(f"\\x{byte:02x}" for byte in word) for word in dict.fromkeys(target.words) if word)
    return "".join(f'"{word}"\n' for word in quoted)


if __name__ == "__main__":
    main(sys.argv[1:])
