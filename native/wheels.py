"""Makes a wheel for each platform out of the pure one: the same files, and the compiled `intentls`.

    python -m native.wheels dist            # beside dist/intentls-1.2.3-py3-none-any.whl

In a platform's wheel `intentls` is the compiled program, and the script that the pure wheel has under that name is
`intentls-python` beside it. Windows has no wheel of its own: no daemon runs there (`fork`, Unix sockets), so the client
would only start Python, as the launcher does that pip writes.

Twice the same sources give twice the same bytes: `ziglang` is pinned, and files and times in a wheel are fixed.
"""

from __future__ import annotations

import base64
import hashlib
import sys
import tempfile
import zipfile
from pathlib import Path

from native.build import compile_client

PLATFORMS = {
    "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64": "x86_64-linux-musl",
    "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64": "aarch64-linux-musl",
    "macosx_11_0_x86_64": "x86_64-macos.11.0",
    "macosx_11_0_arm64": "aarch64-macos.11.0",
}
"""Zig's target by the wheel's platform. Those of Linux are linked statically, so any C library will do."""

_PURE = "py3-none-any"
_TIME = (2020, 2, 2, 0, 0, 0)  # as in the pure wheel
_SCRIPT = b"intentls = "
_FILE, _PROGRAM = 0o100644 << 16, 0o100755 << 16


def platform_wheel(pure: Path, platform: str, program: bytes) -> Path:
    """Write the wheel for `platform` beside the pure one, with the compiled program in it; its path.

    Raises ValueError where `pure` is not a pure wheel of this project.
    """
    if not pure.name.endswith(f"-{_PURE}.whl"):
        raise ValueError(f"{pure.name} is no pure wheel")
    stem = pure.name.removesuffix(f"-{_PURE}.whl")
    with zipfile.ZipFile(pure) as wheel:
        files = {name: wheel.read(name) for name in wheel.namelist() if not name.endswith(".dist-info/RECORD")}
    tags = "".join(f"Tag: py3-none-{tag}\n" for tag in platform.split("."))
    _replace(files, f"{stem}.dist-info/WHEEL", f"Tag: {_PURE}\n".encode(), tags.encode())
    _replace(files, f"{stem}.dist-info/WHEEL", b"Root-Is-Purelib: true", b"Root-Is-Purelib: false")
    _replace(files, f"{stem}.dist-info/entry_points.txt", _SCRIPT, b"intentls-python = ")
    script = f"{stem}.data/scripts/intentls"
    files[script] = program
    record = f"{stem}.dist-info/RECORD"
    files[record] = _record(files, record)
    path = pure.with_name(f"{stem}-py3-none-{platform}.whl")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, content in files.items():
            info = zipfile.ZipInfo(name, _TIME)
            info.create_system, info.compress_type = 3, zipfile.ZIP_DEFLATED  # 3: what Unix wrote, with modes
            info.external_attr = _PROGRAM if name == script else _FILE
            wheel.writestr(info, content)
    return path


def _replace(files: dict[str, bytes], name: str, before: bytes, after: bytes) -> None:
    if files[name].count(before) != 1:
        raise ValueError(f"{name} has not {before!r} once")
    files[name] = files[name].replace(before, after)


def _record(files: dict[str, bytes], record: str) -> bytes:
    """Name, hash and size of each file, one a line; the record itself has neither hash nor size."""
    lines = []
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(content)}")
    return "\n".join([*lines, f"{record},,", ""]).encode()


def main() -> int:
    """Make the wheels for all platforms in the folder that the command line names; the exit code."""
    [pure] = Path(sys.argv[1]).glob(f"intentls-*-{_PURE}.whl")
    for platform, target in PLATFORMS.items():
        with tempfile.TemporaryDirectory() as name:
            program = Path(name, "intentls")
            compile_client(program, target)
            print(platform_wheel(pure, platform, program.read_bytes()).name)  # noqa: T201  for who builds
    return 0


if __name__ == "__main__":
    sys.exit(main())
