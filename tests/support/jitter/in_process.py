"""Run as text in each Python process of a jittered run: it sleeps now and then around what another process or thread
may see.

Executed by a `.pth` file, before the program: it imports only what Python has loaded by then, and leaves no module, so
that a test of what a program loads sees no difference. Its one trace is `sys.intentls_jitter`.

Each place in the code that does such a thing is slow or is not, by the seed, the test and the place alone: one seed is
slow at the same places again. How long a slow place sleeps each time also depends on the order of the threads.
"""

# ruff: noqa: UP037, RUF100  # annotations are texts, since even `__future__` would be a module more
import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType, ModuleType
    from typing import Any

SLOW_OF_1000 = (100, 300, 600, 900)
"""How many of 1,000 places are slow: one of these for each test."""
SLEEPS_MS = (1, 2, 5, 10, 20, 50, 100, 200, 400)
MAX_SLEEPS_AT_A_PLACE = 12
MAX_SLEEP_S = 1.5
"""Seconds that a process sleeps at a stretch: a hook waits 3 for a daemon's answer."""
SLEEPS_AGAIN = 0.3
"""Seconds of sleep that each second adds, so that one that lives long does not sleep at its start only."""
SWITCH_S = 1e-5
"""Seconds after which another thread may go on, 500 times shorter than Python's own."""

# What Python itself announces before it happens.
ANNOUNCED = frozenset(
    (
        "open",
        "os.link",
        "os.listdir",
        "os.mkdir",
        "os.remove",
        "os.rename",
        "os.rmdir",
        "os.scandir",
        "os.symlink",
        "os.truncate",
        "os.utime",
        "os.kill",
        "os.killpg",
        "os.fork",
        "os.posix_spawn",
        "subprocess.Popen",
        "socket.bind",
        "socket.connect",
        "socket.sendmsg",
        "socket.sendto",
        "fcntl.flock",
        "fcntl.lockf",
        "_thread.start_new_thread",
    )
)
COMPANY = frozenset(("os.fork", "os.posix_spawn", "subprocess.Popen", "_thread.start_new_thread"))
# What is also followed by a sleep, or not announced at all.
OF_OS = ("fsync", "fdatasync", "kill", "link", "mkdir", "read", "rename", "replace", "unlink", "waitpid", "write")
OF_CLASSES = {
    "threading": {"Event": ("set", "wait"), "Condition": ("wait", "notify"), "Thread": ("start", "run", "join")},
    "queue": {"Queue": ("put", "get")},
    "socket": {"socket": ("accept", "close")},
    "selectors": {"EpollSelector": ("select",), "PollSelector": ("select",)},
    "subprocess": {"Popen": ("__init__", "wait")},
    "concurrent.futures._base": {"Future": ("set_result", "set_exception")},
    "asyncio.events": {"Handle": ("_run",)},
}
OF_MODULES = {"select": ("select",), "socket": ("recv_fds", "send_fds"), "fcntl": ("flock",)}
OF_SOCKETS = ("recv", "recv_into", "send", "sendall")


HERE = sys._getframe().f_code.co_filename


class Jitter:
    """When this process sleeps."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._waiting = {name: OF_CLASSES.get(name, {}) for name in (*OF_CLASSES, *OF_MODULES)}
        self.begin(os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")[0])

    def begin(self, test: str, *, is_alone: bool = False) -> None:
        """A test begins: other places are slow. While nobody else is there to look, none is."""
        self._is_alone = is_alone
        self.off = "INTENTLS_JITTER_OFF" in os.environ
        self._test = test
        self._places: dict[tuple[str, str, int], int] = {}
        self._slept_s, self._began = 0.0, time.monotonic()
        self._number = mixed(self._seed + test)
        self._slow_of_1000 = SLOW_OF_1000[self._number % len(SLOW_OF_1000)]

    def begin_child(self) -> None:
        """This process was forked."""
        self._slept_s, self._began = 0.0, time.monotonic()
        self._places.clear()

    def hear(self, event: str, arguments: "tuple[Any, ...]") -> None:
        """What Python announces, as an audit hook."""
        if self._waiting:
            self._change_modules()
        if event in COMPANY:
            self._is_alone = False
        if event in ANNOUNCED and not self.off:
            self.pause(event, sys._getframe().f_back)  # None for a script that Python opens

    def pause(self, what: str, frame: "FrameType | None") -> None:
        """Sleep, if what happens here is slow."""
        if what == "Thread.start":  # which Python announces since 3.12
            self._is_alone = False
        if self.off or self._is_alone or self._sleep_left_s() <= 0:
            return
        depth = 0
        caller = frame
        while caller is not None and depth < 8:
            name = caller.f_code.co_filename
            if name.startswith("<frozen importlib"):
                return
            if name != HERE and ("/tests/" in name or "/intentls/" in name):
                break
            caller, depth = caller.f_back, depth + 1
        else:
            caller = frame
        if caller is None:
            return
        place = (what, caller.f_code.co_name, caller.f_lineno)
        left = self._places.get(place)
        if left is None:
            slow = mixed(f"{self._seed} {self._test} {place}") % 1000 < self._slow_of_1000
            left = self._places[place] = MAX_SLEEPS_AT_A_PLACE if slow else 0
        if not left:
            return
        self._places[place] = left - 1
        self._number = number = (self._number * 6364136223846793005 + 1442695040888963407) % 2**64
        draw = number >> 33
        if draw % 3 == 0 and left != MAX_SLEEPS_AT_A_PLACE:
            return
        seconds = SLEEPS_MS[draw // 3 % len(SLEEPS_MS)] / 1000
        self._slept_s += seconds
        time.sleep(seconds)

    def _sleep_left_s(self) -> float:
        """Seconds. What was not slept in time is not caught up on."""
        now = time.monotonic()
        self._slept_s = max(0.0, self._slept_s - SLEEPS_AGAIN * (now - self._began))
        self._began = now
        return MAX_SLEEP_S - self._slept_s

    def _change_modules(self) -> None:
        for name, classes in tuple(self._waiting.items()):
            module = sys.modules.get(name)
            if module is None or module.__spec__ is None or getattr(module.__spec__, "_initializing", False):
                continue
            if self._waiting.pop(name, None) is not None:
                self._change(module, classes)

    def _change(self, module: "ModuleType", classes: dict[str, tuple[str, ...]]) -> None:
        for class_name, methods in classes.items():
            for method in methods:
                class_ = getattr(module, class_name)
                setattr(class_, method, self._around(getattr(class_, method), f"{class_name}.{method}"))
        for function in OF_MODULES.get(module.__name__, ()):
            setattr(module, function, self._around(getattr(module, function), function))
        if module.__name__ == "socket":
            for method in OF_SOCKETS:
                setattr(module.socket, method, self._around(getattr(module.socket, method), method))
        if module.__name__ == "threading":
            module.Lock = self._lock_class(module.Lock)  # type: ignore[attr-defined]

    def _around(self, call: "Any", what: str) -> "Any":
        def jittered(*arguments: "Any", **named: "Any") -> "Any":
            self.pause(what, sys._getframe(1))
            try:
                return call(*arguments, **named)
            finally:
                self.pause(f"after {what}", sys._getframe(1))

        jittered.__name__ = jittered.__qualname__ = getattr(call, "__name__", what)
        jittered.__wrapped__ = call  # type: ignore[attr-defined]
        return jittered

    def change_os(self) -> None:
        """Sleep around functions of `os` too."""
        jitter = self

        class Jittered:
            """A function that is no method of a class that holds it, as a built-in one."""

            def __init__(self, call: "Any") -> None:
                self.call = call
                self.__name__ = self.__qualname__ = call.__name__
                self.__doc__ = call.__doc__

            def __call__(self, *arguments: "Any", **named: "Any") -> "Any":
                if self.__name__ in ("read", "write", "waitpid", "fsync", "fdatasync"):
                    jitter.pause(self.__name__, sys._getframe(1))
                try:
                    return self.call(*arguments, **named)
                finally:
                    jitter.pause(f"after {self.__name__}", sys._getframe(1))

        for name in OF_OS:
            call = getattr(os, name, None)
            if call is not None:
                changed = Jittered(call)
                for supporting in (os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks):
                    if call in supporting:
                        supporting.add(changed)
                setattr(os, name, changed)

    def _lock_class(self, allocate: "Any") -> "Any":
        jitter = self

        class Lock:
            """A lock that is taken and given back a little late."""

            __slots__ = ("__weakref__", "_lock")

            def __init__(self) -> None:
                self._lock = allocate()

            def acquire(self, *arguments: "Any", **named: "Any") -> bool:
                jitter.pause("acquire", sys._getframe(1))
                return bool(self._lock.acquire(*arguments, **named))

            def release(self) -> None:
                self._lock.release()
                jitter.pause("release", sys._getframe(1))

            def __enter__(self) -> bool:
                jitter.pause("acquire", sys._getframe(1))
                return bool(self._lock.__enter__())

            def __exit__(self, *_: object) -> None:
                self._lock.release()
                jitter.pause("release", sys._getframe(1))

            def __getattr__(self, name: str) -> "Any":
                return getattr(self._lock, name)

        return Lock


def mixed(text: str) -> int:
    """A number of 64 bits that is the same in each process, unlike `hash`: FNV-1a, stirred."""
    number = 14695981039346656037
    for byte in text.encode("utf-8", "replace"):
        number = (number ^ byte) * 1099511628211 % 2**64
    return (number ^ number >> 29) * 6364136223846793005 % 2**64 >> 17


if not hasattr(sys, "intentls_jitter"):
    jitter = Jitter(SEED)  # type: ignore[name-defined]  # noqa: F821  # given by who runs this text
    sys.intentls_jitter = jitter  # type: ignore[attr-defined]
    jitter.change_os()
    sys.setswitchinterval(SWITCH_S)
    os.register_at_fork(after_in_child=jitter.begin_child)
    sys.addaudithook(jitter.hear)
