"""`make jitter`: what makes a run have other schedules, and what it leaves alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import jitter
from tests.support.jitter import IN_PROCESS, STALLS, JitteredRun
from tests.support.patience import PATIENCE_S, eventually

_RACE = """
import sys, threading, time
import json  # what is loaded is changed with the next import
slept = []
time.sleep = lambda seconds: slept.append(seconds)
pause = sys.intentls_jitter.pause
def noting(what, frame):
    before = len(slept)
    pause(what, frame)
    names.extend([what] * (len(slept) - before))
names = []
sys.intentls_jitter.pause = noting
begun, done = threading.Event(), []
def work():
    begun.set()
    done.append("it was set too early")
thread = threading.Thread(target=work)
thread.start()
begun.wait()
thread.join()
"""

_PLACES = """
import sys, time
slept = []
for number in range(40):
    time.sleep = lambda _: slept.append(number)
    sys.intentls_jitter.pause(f"place {number}", sys._getframe())
print(*slept)
"""


def run(program: str, seed: str = "1", test: str = "", *, without: bool = False) -> str:
    """What a program prints that runs jittered, before anything else is loaded."""
    file = str(IN_PROCESS)
    hook = f"import os; exec(compile(open({file!r}).read(), {file!r}, 'exec'), {{'SEED': {seed!r}}})\n"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import os\n{program}" if without else hook + program],
        env={"PYTEST_CURRENT_TEST": f"{test} (call)"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def slow_places(seed: str, test: str = "") -> set[str]:
    """What sleeps where a thread tells another one too early."""
    return set(json.loads(run(_RACE + "print(json.dumps(names))", seed, test)))


def test_a_thread_that_tells_too_early_is_slow_afterwards_with_some_seed() -> None:
    """So who hears of it goes on first, and a test that took the rest for granted fails."""
    assert any("after Event.set" in slow_places(str(seed)) for seed in range(20))


def test_a_seed_is_slow_at_the_same_places_again_and_another_test_at_others() -> None:
    """A failure can be looked for again."""
    places = [run(_PLACES, "5", f"test {number}") for number in range(8)]
    assert places == [run(_PLACES, "5", f"test {number}") for number in range(8)]
    assert len(set(places)) > 1 and any(map(str.strip, places))


def test_nothing_more_is_loaded_for_it() -> None:
    """Some tests look at what a program loads."""
    loaded = "import sys; print(*sorted(sys.modules))"
    assert run(loaded) == run(loaded, without=True)


def test_a_jittered_function_counts_as_the_one_of_the_system() -> None:
    """Python asks by the function itself whether it takes the number of an open directory."""
    asked = (
        "import os, shutil; names = ('rename', 'unlink', 'mkdir', 'link')\n"
        "print(all(getattr(os, name) in os.supports_dir_fd for name in names), shutil.rmtree.avoids_symlink_attacks)"
    )
    assert run(asked) == run(asked, without=True)


def test_what_no_code_of_python_does_is_heard_too() -> None:
    """Python announces that it opens a script while it runs nothing yet: so does a thread that has only just begun."""
    heard = (
        "import _thread, sys, time\n"
        "ended = []\n"
        "class Script:\n"
        "    def __del__(self): ended.append(True)\n"
        "_thread.start_new_thread(sys.intentls_jitter.hear, ('open', (Script(), 'r', 0)))\n"
        "while not ended: time.sleep(0.001)\n"
        "print('heard')"
    )
    assert run(heard) == "heard\n"


@pytest.fixture
def jittered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> JitteredRun:
    """A run that holds nothing back, and has its hook in a folder of its own."""
    monkeypatch.setattr(jitter, "GROUPS", tmp_path / "none")
    monkeypatch.setattr(jitter.sysconfig, "get_path", lambda _: str(tmp_path))
    return JitteredRun("1")


def is_jittered(folder: Path) -> bool:
    """Whether a Python process is that starts now, without an environment."""
    program = f"import site, sys; site.addsitedir({str(folder)!r}); print(hasattr(sys, 'intentls_jitter'))"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", program], env={}, capture_output=True, check=True)
    return done.stdout == b"True\n"


def test_every_python_that_starts_during_the_run_is_jittered_and_none_after_it(
    jittered: JitteredRun, tmp_path: Path
) -> None:
    """Whatever its environment is."""
    assert not is_jittered(tmp_path)
    jittered.pytest_configure()
    assert is_jittered(tmp_path)
    jittered.pytest_unconfigure()
    assert not is_jittered(tmp_path)


def test_a_run_that_was_killed_jitters_nobody(jittered: JitteredRun, tmp_path: Path) -> None:
    """Its file stays, and the next run takes it away."""
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        pass
    left = tmp_path / f"intentls_jitter_{ended.pid}.pth"
    jittered.pytest_configure()
    left.write_text(next(tmp_path.glob("*.pth")).read_text().replace(str(os.getpid()), str(ended.pid)))
    jittered.pytest_unconfigure()
    assert not is_jittered(tmp_path)
    jittered.pytest_configure()
    assert not left.exists()


def test_two_runs_do_not_share_an_environment(jittered: JitteredRun, tmp_path: Path) -> None:
    """A file that comes to the installed ones is an update, at which a daemon ends."""
    (tmp_path / f"intentls_jitter_{os.getppid()}.pth").touch()
    with pytest.raises(pytest.UsageError, match="one at a time"):
        jittered.pytest_configure()


def is_in(process: int, group: Path) -> bool:
    """Whether the group is there, and the process in it."""
    file = group / "cgroup.procs"
    return file.exists() and str(process) in file.read_text().split()


@pytest.mark.skipif(not os.access(jitter.GROUPS / "tasks", os.W_OK), reason="needs root and control groups, version 1")
def test_a_process_that_is_held_back_goes_on_afterwards_and_no_group_is_left() -> None:
    """It is in the group of the run again, or beside it when the run is over."""
    group = jitter.GROUPS / f"intentls-jitter-test-{os.getpid()}"
    group.mkdir()
    command = [sys.executable, "-I", "-S", str(STALLS), str(group), "1"]
    stalls = subprocess.Popen(command, stdin=subprocess.PIPE)
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as busy:
        try:
            (group / "cgroup.procs").write_text(str(busy.pid))
            eventually(lambda: is_in(busy.pid, group / "held"))
            eventually(lambda: is_in(busy.pid, group))
            stalls.communicate(timeout=PATIENCE_S)
            assert stalls.returncode == 0 and not group.exists()
            assert busy.poll() is None
        finally:
            busy.kill()
            stalls.kill()
