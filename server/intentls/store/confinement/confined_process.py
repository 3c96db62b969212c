"""A confined command: started so that this program's end is its end, too.

Three processes come of a start in new namespaces; without them the keeper starts the command itself:

    keeper    makes the namespaces, waits, and passes signals on; it is still one of our own processes
    first     process 1 of the new process namespace: makes the view, reaps what others leave; all end with it
    command   what the user asked for, without any capability

A step that fails says so through a pipe before the command is started, so that nothing ever runs half confined.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Final, NoReturn

from msgspec import Struct

from intentls.core.errors import StoreError
from intentls.store.confinement import kernel_calls

PASSED_ON: Final = (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2)
KEYBOARD: Final = (signal.SIGINT, signal.SIGQUIT)
"""Signals that a run passes on to its command, and those that a terminal sends to both."""

_NOT_FOUND, _NOT_RUNNABLE, _SIGNALLED = 127, 126, 128
_CAN_NOT = 125
_READ = 64 * 1024


class NotConfined(StoreError):
    """The command can't be confined here, and was not started."""


class ConfinedCommand(Struct, frozen=True):
    """An argument vector, where and with what environment it runs."""

    arguments: Sequence[str]
    folder: Path
    environment: Mapping[str, str]


class ConfinedProcess:
    """A command that runs confined."""

    def __init__(self, keeper: int) -> None:
        self._keeper = keeper
        self._code: int | None = None

    @classmethod
    def start(cls, command: ConfinedCommand, enter: Callable[[], None], namespaces: int) -> ConfinedProcess:
        """Start `command` in these new namespaces (0: in ours), after `enter` ran in them. Raises NotConfined."""
        if sys.platform != "linux":
            raise NotConfined("The command can't be confined this way here (it needs Linux).")
        failed, say = os.pipe2(os.O_CLOEXEC)
        mapped, go = os.pipe2(os.O_CLOEXEC)
        ready, tell = os.pipe2(os.O_CLOEXEC)
        # None of the three may be ended by a signal before it knows what to do with it.
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, (*PASSED_ON, *KEYBOARD))
        keeper = os.fork()
        if keeper == 0:
            os.close(failed)
            _keep(command, enter, namespaces, say, tell, mapped)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for handle in (say, tell, mapped):
            os.close(handle)
        try:
            if os.read(ready, 1):
                _map_users(keeper)
                os.write(go, b"x")
            reason = _read_all(failed)
        except OSError as error:
            reason = f"{error.strerror}: {error.filename}"
        finally:
            for handle in (failed, go, ready):
                os.close(handle)
        if reason:
            with suppress(ProcessLookupError):
                os.kill(keeper, signal.SIGKILL)
            os.waitpid(keeper, 0)
            raise NotConfined(f"The command can't be confined here ({reason}).")
        return cls(keeper)

    def poll(self) -> int | None:
        """The command's exit code, as a shell gives it; None while it runs."""
        if self._code is None:
            pid, status = os.waitpid(self._keeper, os.WNOHANG)
            if pid:
                self._code = _code_of(status)
        return self._code

    def send(self, number: int) -> None:
        """Pass a signal on to the command."""
        if self.poll() is None:
            os.kill(self._keeper, number)

    def kill(self) -> None:
        """End the command and all that it started, at once."""
        if self.poll() is None:
            os.kill(self._keeper, signal.SIGKILL)
            _, status = os.waitpid(self._keeper, 0)
            self._code = _code_of(status)

    def wait(self, timeout_s: float | None = None) -> bool:
        """Wait until the command has ended, at most so long; whether it has."""
        ended = os.pidfd_open(self._keeper)
        try:
            return bool(select.select([ended], [], [], timeout_s)[0])
        finally:
            os.close(ended)


def _keep(
    command: ConfinedCommand, enter: Callable[[], None], namespaces: int, say: int, tell: int, mapped: int
) -> NoReturn:
    """The keeper: make the namespaces, start the first process in them, and wait for its end."""
    try:
        kernel_calls.die_with_parent(signal.SIGKILL)
        if namespaces:
            kernel_calls.unshare(namespaces)
            os.write(tell, b"x")
            if not os.read(mapped, 1):
                os._exit(_CAN_NOT)
        else:
            kernel_calls.reap_all_below()
        os.close(tell)
        child = os.fork()
        if child == 0:
            if namespaces:
                _be_first(command, enter, say)
            _restrict_and_run(command, enter, say)
        os.close(say)
        code = _wait_for(child)
        if not namespaces:  # the end of a process namespace ends all in it
            _end_all_below()
        os._exit(code)
    except BaseException as error:  # noqa: BLE001  a forked process ends here, whatever went wrong
        _fail(say, error)


def _restrict_and_run(command: ConfinedCommand, enter: Callable[[], None], say: int) -> NoReturn:
    try:
        kernel_calls.die_with_parent(signal.SIGKILL)
        os.chdir(command.folder)
        enter()
    except BaseException as error:  # noqa: BLE001  as above
        _fail(say, error)
    _run(command, say)


def _end_all_below() -> None:
    """Kill what the command left running, and what comes up instead, until nothing is left."""
    while True:
        for pid in Path("/proc/self/task", str(os.getpid()), "children").read_text().split():
            with suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _be_first(command: ConfinedCommand, enter: Callable[[], None], say: int) -> NoReturn:
    try:
        kernel_calls.die_with_parent(signal.SIGKILL)
        enter()
        os.chdir(command.folder)
        kernel_calls.drop_privileges()
        child = os.fork()
        if child == 0:
            _run(command, say)
        os.close(say)
        os._exit(_wait_for(child))
    except BaseException as error:  # noqa: BLE001  as above
        _fail(say, error)


def _run(command: ConfinedCommand, say: int) -> NoReturn:
    for number in (*KEYBOARD, *PASSED_ON, signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    os.dup2(say, 3) if say != 3 else None
    os.set_inheritable(3, False)
    os.closerange(4, os.sysconf("SC_OPEN_MAX"))
    try:
        os.execvpe(command.arguments[0], list(command.arguments), dict(command.environment))
    except FileNotFoundError:
        sys.stderr.write(f"intentls: {command.arguments[0]}: command not found\n")
        code = _NOT_FOUND
    except OSError as error:
        sys.stderr.write(f"intentls: {command.arguments[0]}: {error.strerror}\n")
        code = _NOT_RUNNABLE
    sys.stderr.flush()
    os._exit(code)


def _wait_for(child: int) -> int:
    """Wait for `child`, reap all others, and pass signals on to it; its exit code, as a shell gives it."""

    def pass_on(number: int, _frame: FrameType | None) -> None:
        with suppress(ProcessLookupError):
            os.kill(child, number)

    for number in KEYBOARD:
        signal.signal(number, signal.SIG_IGN)
    for number in PASSED_ON:
        signal.signal(number, pass_on)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    while True:
        pid, status = os.waitpid(-1, 0)
        if pid == child:
            return _code_of(status)


def _map_users(keeper: int) -> None:
    """The same user inside as outside; user 0 keeps all users, since files of others lie in its trees."""
    folder = Path("/proc") / str(keeper)
    user, group = os.geteuid(), os.getegid()
    if user == 0:
        for name in ("uid_map", "gid_map"):
            extents = [line.split() for line in (Path("/proc/self") / name).read_text().splitlines()]
            (folder / name).write_text("".join(f"{inside} {inside} {count}\n" for inside, _, count in extents))
        return
    (folder / "setgroups").write_text("deny")
    (folder / "uid_map").write_text(f"{user} {user} 1\n")
    (folder / "gid_map").write_text(f"{group} {group} 1\n")


def _fail(say: int, error: BaseException) -> NoReturn:
    text = f"{error.strerror}: {error.filename}" if isinstance(error, OSError) else f"{type(error).__name__}: {error}"
    with suppress(OSError):
        os.write(say, text.encode("utf-8", "replace"))
    os._exit(_CAN_NOT)


def _read_all(handle: int) -> str:
    data = b""
    while chunk := os.read(handle, _READ):
        data += chunk
    return data.decode("utf-8", "replace")


def shell_code(code: int) -> int:
    """An exit code as a shell gives it. Example: -9, ended by signal 9, is 137."""
    return code if code >= 0 else _SIGNALLED - code


def _code_of(status: int) -> int:
    return shell_code(os.waitstatus_to_exitcode(status))
