"""Ways by which a confined command may try to change what is outside of its scope, run inside of it.

Started as `python3 escapes.py PID`, in a tree whose scope is `src/**`, with the number of a process of the outside.
Each way has a file of its own to change, `docs/NAME.txt`, and a new one to make, `docs/NAME.new`; it may fail.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path.cwd()
LIBRARY = ctypes.CDLL(None, use_errno=True)
AT_HERE = -100

Way = Callable[[Path, Path], object]
WAYS: dict[str, Way] = {}


def shell(name: str, line: str) -> None:
    """A way that is a line of a shell; `$T` is the file, `$N` the new one."""

    def run(target: Path, new: Path) -> None:
        environment = {**os.environ, "T": str(target), "N": str(new)}
        subprocess.run(["sh", "-c", line], env=environment, check=False, timeout=20, stdin=subprocess.DEVNULL)

    WAYS[name] = run


def way(function: Way) -> Way:
    """A way in Python."""
    WAYS[function.__name__] = function
    return function


for _name, _line in {
    "overwrite": 'echo x > "$T"',
    "append": 'echo x >> "$T"',
    "truncate": 'truncate -s 0 "$T"',
    "remove": 'rm -f "$T"',
    "move_away": 'mv "$T" "$T.moved"',
    "move_into_scope": 'mv "$T" src/stolen.txt',
    "move_over": 'cp src/a.py src/m.py; mv src/m.py "$T"',
    "copy_over": 'cp src/a.py "$T"',
    "new_file": 'echo x > "$N"',
    "new_folder": 'mkdir -p "$N/deep"; echo x > "$N/deep/x"',
    "hard_link_out": 'ln src/a.py "$N"',
    "hard_link_in": 'ln "$T" src/hard.txt; echo x >> src/hard.txt',
    "link_to_file": 'ln -sf "../docs/$(basename "$T")" src/soft.txt; echo x >> src/soft.txt',
    "link_to_folder": 'ln -sf ../docs src/folder; echo x >> "src/folder/$(basename "$T")"',
    "link_absolute": 'ln -sf "$T" src/absolute.txt; echo x > src/absolute.txt',
    "link_made": 'ln -s /etc/passwd "$N"',
    "own_root": 'echo x >> "/proc/self/root$T"',
    "own_folder": 'echo x >> "/proc/self/cwd/docs/$(basename "$T")"',
    "dots": 'echo x >> "src/../docs/$(basename "$T")"',
    "in_place": 'sed -i s/old/new/ "$T"',
    "dd": 'dd if=/dev/zero of="$T" bs=1 count=3 conv=notrunc',
    "tee": 'echo x | tee -a "$T"',
    "install": 'install -m 600 src/a.py "$T"',
    "archive": 'tar -C src -cf src/a.tar a.py; tar --transform "s,a.py,$(basename "$N")," -C docs -xf src/a.tar',
    "mode": 'chmod 777 "$T"',
    "times": 'touch -d 2001-01-01 "$T"',
    "owner": 'chown 1 "$T"',
    "pipe": 'mkfifo "$N"',
    "background": '(sleep 0.3; echo x >> "$T") &',
    "new_session": 'setsid sh -c "sleep 0.3; echo x >> \\"$T\\"" &',
    "outlives": 'nohup setsid sh -c "sleep 3; echo x >> \\"$T\\"" >/dev/null 2>&1 &',
    "git_checkout_file": 'git checkout HEAD~1 -- "docs/$(basename "$T")"',
    "git_worktree": 'git worktree add -f "$N" HEAD',
    "git_hook": 'printf "#!/bin/sh\\necho x\\n" > .git/hooks/post-commit; chmod +x .git/hooks/post-commit',
    "git_hooks_path": "git config core.hooksPath src",
    "git_monitor": "git config core.fsmonitor src/evil",
    "git_filter": 'echo "* filter=evil" > .git/info/attributes; git config filter.evil.clean src/evil',
    "git_exclude": 'echo "docs/" >> .git/info/exclude',
    "git_alias": 'git config alias.status "!src/evil"',
    "git_apply": 'printf -- "--- a/docs/x\\n+++ b/docs/x\\n@@ -0,0 +1 @@\\n+x\\n" | git apply',
    "git_other_tree": "git --work-tree=docs checkout -f HEAD -- src/a.py",
    "git_flags": 'git update-index --assume-unchanged "docs/$(basename "$T")"; echo x >> "$T"',
    "policy": 'echo "mode: advise" > .orchestration/policy.yaml',
    "intents": 'sed -i "s,src/\\*\\*,**,g" .orchestration/active_intents.yaml .orchestration/intents/*.yaml',
    "ignore": 'echo "!docs" > .intentignore',
    "ledger": "for f in .orchestration/trace/*.jsonl .orchestration/agent_trace.jsonl; do : > $f; done",
    "state": "rm -rf .orchestration/.state; mkdir .orchestration/.state",
    "all_of_it": "rm -rf .orchestration",
    "unshare_and_unmount": 'unshare -Urm sh -c "umount -l $PWD; echo x >> \\"$T\\""',
    "remount": 'mount -o remount,rw /; mount -o remount,rw,bind /; echo x >> "$T"',
    "bind_mount": 'unshare -Urm sh -c "mount --bind src docs; echo x >> \\"$T\\""',
    "memory_mount": 'mount -t tmpfs none docs; echo x >> "$N"',
    "unmount": 'umount "$PWD"; umount -l "$PWD"; cd "$PWD" && echo x >> "$T"',
    "enter_init": 'nsenter -t 1 -m -p sh -c "echo x >> \\"$T\\""',
    "enter_outside": 'nsenter -t "$OUTSIDE" -U -m sh -c "echo x >> \\"$T\\""',
    "outside_root": 'echo x >> "/proc/$OUTSIDE/root$T"; echo x >> "/proc/$OUTSIDE/cwd/docs/$(basename "$T")"',
    "each_root": 'for p in /proc/[0-9]*; do echo x >> "$p/root$T"; done',
    "change_root": 'chroot / sh -c "echo x >> \\"$T\\""',
    "block_device": "mknod src/disk b 254 0; dd if=/dev/zero of=src/disk bs=1 count=0",
    "disks": "for d in /dev/[shv]da /dev/nvme0n1 /dev/mem; do "
    "dd if=/dev/null of=$d bs=1 count=0 conv=notrunc,nocreat && echo x > src/reached-$(basename $d); done",
    "core_pattern": "p=/proc/sys/kernel/core_pattern; cat $p > $p && echo x > src/reached-core-pattern",
    "sysrq": "echo h > /proc/sysrq-trigger && echo x > src/reached-sysrq",
    "cgroup": "mkdir /sys/fs/cgroup/evil && echo x > src/reached-cgroup",
    "engine_socket": "[ -S /run/docker.sock ] && echo x > src/reached-docker",
    "bus": "[ -S /run/dbus/system_bus_socket ] && echo x > src/reached-bus",
    "terminal_server": "for s in /tmp/tmux-*/default; do [ -S $s ] && echo x > src/reached-tmux; done",
    "case": 'echo x >> "DOCS/$(basename "$T")"; mkdir -p Docs; echo x > Docs/x',
    "home": "echo x >> ~/.profile; echo x > ~/.bashrc; mkdir -p ~/.config/autostart; echo x > ~/.config/autostart/x",
    "crontab": 'echo "* * * * * echo x" | crontab -; mkdir -p /var/spool/cron; echo x > /var/spool/cron/x',
    "system": "echo x > /etc/evil; echo x > /usr/local/bin/evil; echo x > /opt/evil",
    "folder_becomes_link": "mkdir src/sub; echo a > src/sub/x; sleep 0.6; rm -rf src/sub; "
    "ln -s ../docs src/sub; echo x > src/sub/y",
    "newline": 'printf x > "docs/a\nb"',
    "strange_bytes": 'printf x > "$(printf "docs/\\377\\376")"',
}.items():
    shell(_name, _line)


@way
def by_folder_handle(target: Path, _new: Path) -> None:
    folder = os.open(target.parent, os.O_RDONLY)
    os.write(os.open(target.name, os.O_WRONLY | os.O_TRUNC, dir_fd=folder), b"x")


@way
def open_by_new_call(target: Path, _new: Path) -> None:
    how = (ctypes.c_uint64 * 3)(os.O_WRONLY | os.O_TRUNC, 0, 0)  # openat2
    handle = LIBRARY.syscall(437, AT_HERE, os.fsencode(target), ctypes.byref(how), ctypes.sizeof(how))
    os.write(handle, b"x")


@way
def through_memory(target: Path, _new: Path) -> None:
    handle = os.open(target, os.O_RDWR)
    with mmap.mmap(handle, 3) as memory:
        memory[:3] = b"new"
        memory.flush()


@way
def program_in_memory(target: Path, _new: Path) -> None:
    handle = os.memfd_create("evil", 0)
    os.write(handle, f"#!/bin/sh\necho x >> '{target}'\n".encode())
    subprocess.run([f"/proc/self/fd/{handle}"], pass_fds=[handle], check=False, timeout=10)


@way
def unnamed_file(_target: Path, new: Path) -> None:
    handle = os.open("docs", os.O_TMPFILE | os.O_WRONLY)
    os.write(handle, b"x")
    os.link(f"/proc/self/fd/{handle}", new, follow_symlinks=True)


@way
def exchange(target: Path, _new: Path) -> None:
    LIBRARY.renameat2(AT_HERE, os.fsencode(target), AT_HERE, b"src/a.py", 2)


@way
def copy_range(target: Path, _new: Path) -> None:
    os.copy_file_range(os.open("src/a.py", os.O_RDONLY), os.open(target, os.O_WRONLY), 3)


@way
def send_file(target: Path, _new: Path) -> None:
    os.sendfile(os.open(target, os.O_WRONLY), os.open("src/a.py", os.O_RDONLY), 0, 3)


@way
def splice(target: Path, _new: Path) -> None:
    read, write = os.pipe()
    os.write(write, b"new")
    os.splice(read, os.open(target, os.O_WRONLY), 3)


@way
def punch_hole(target: Path, _new: Path) -> None:
    LIBRARY.fallocate(os.open(target, os.O_RDWR), 3, ctypes.c_long(0), ctypes.c_long(3))


@way
def unlinked_open_file(target: Path, _new: Path) -> None:
    handle = os.open(target, os.O_RDWR)
    target.unlink()
    os.write(handle, b"x")


@way
def attribute(target: Path, _new: Path) -> None:
    os.setxattr(target, "user.evil", b"x")


@way
def bound_socket(_target: Path, new: Path) -> None:
    socket.socket(socket.AF_UNIX).bind(str(new))


@way
def trace_outside(_target: Path, _new: Path) -> None:
    if LIBRARY.ptrace(16, int(os.environ["OUTSIDE"]), 0, 0) == 0:
        Path("src/reached-ptrace").touch()


@way
def memory_of_outside(_target: Path, _new: Path) -> None:
    os.open(f"/proc/{os.environ['OUTSIDE']}/mem", os.O_RDWR)
    Path("src/reached-memory").touch()


@way
def kill_outside(_target: Path, _new: Path) -> None:
    os.kill(int(os.environ["OUTSIDE"]), signal.SIGKILL)


@way
def type_into_terminal(_target: Path, _new: Path) -> None:
    import fcntl

    for letter in b"touch docs/typed\n":
        fcntl.ioctl(0, 0x5412, bytes([letter]))


@way
def by_file_handle(target: Path, _new: Path) -> None:
    handle = ctypes.create_string_buffer(8 + 128)
    ctypes.memmove(handle, (128).to_bytes(4, "little"), 4)
    mount = ctypes.c_int()
    LIBRARY.name_to_handle_at(AT_HERE, os.fsencode(target), handle, ctypes.byref(mount), 0)
    opened = LIBRARY.open_by_handle_at(os.open("/", os.O_RDONLY), handle, os.O_WRONLY)
    os.write(opened, b"x")


@way
def queued_writes(target: Path, _new: Path) -> None:
    """One `openat` through io_uring, which no filter of system calls sees."""
    parameters = ctypes.create_string_buffer(120)
    ring = LIBRARY.syscall(425, 4, parameters)
    if ring < 0:
        raise OSError(ctypes.get_errno(), "io_uring")
    raw = parameters.raw
    sq_off = [int.from_bytes(raw[40 + 4 * i : 44 + 4 * i], "little") for i in range(8)]
    entries = int.from_bytes(raw[0:4], "little")
    queue = mmap.mmap(ring, sq_off[6] + entries * 4, offset=0)
    slots = mmap.mmap(ring, entries * 64, offset=0x10000000)
    name = ctypes.create_string_buffer(os.fsencode(target))
    slot = bytearray(64)
    slot[0] = 18  # openat
    slot[4:8] = (AT_HERE & 0xFFFFFFFF).to_bytes(4, "little")
    slot[16:24] = ctypes.addressof(name).to_bytes(8, "little")
    slot[28:32] = (os.O_WRONLY | os.O_TRUNC).to_bytes(4, "little")
    slots[:64] = bytes(slot)
    queue[sq_off[6] : sq_off[6] + 4] = (0).to_bytes(4, "little")
    queue[sq_off[1] : sq_off[1] + 4] = (1).to_bytes(4, "little")
    LIBRARY.syscall(426, ring, 1, 1, 1, None, 0)


@way
def left_open(_target: Path, _new: Path) -> None:
    """A descriptor that the caller forgot to close."""
    for handle in range(3, 64):
        try:
            status = os.fstat(handle)
        except OSError:
            continue
        if (status.st_mode & 0o170000) == 0o040000:
            os.open("docs/left_open.new", os.O_CREAT | os.O_WRONLY, dir_fd=handle)


@way
def whole_folder(_target: Path, _new: Path) -> None:
    shutil.rmtree("docs")


@way
def folder_becomes_file(_target: Path, _new: Path) -> None:
    shutil.rmtree("docs", ignore_errors=True)
    Path("docs").write_text("x")


@way
def folder_is_moved(_target: Path, _new: Path) -> None:
    Path("other").rename("src/other")


@way
def scope_becomes_link(_target: Path, _new: Path) -> None:
    Path("src").rename("elsewhere")
    Path("src").symlink_to("other")
    Path("src/kept.txt").write_text("x")


def main() -> None:
    """Try each way in a process of its own, those that take the tree apart last."""
    sys.stdout.write(f"{len(WAYS)} ways\n")
    sys.stdout.flush()
    for name, attempt in WAYS.items():
        child = os.fork()
        if child == 0:
            try:
                attempt(ROOT / "docs" / f"{name}.txt", ROOT / "docs" / f"{name}.new")
            except BaseException as error:  # noqa: BLE001  a way that fails has failed
                sys.stderr.write(f"{name}: {error}\n")
                sys.stderr.flush()
            os._exit(0)
        os.waitpid(child, 0)


if __name__ == "__main__":
    os.environ["OUTSIDE"] = sys.argv[1]
    main()
