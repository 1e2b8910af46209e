"""Wait until a debugger is attached to a process, as Linux tells it."""

import time
from collections.abc import Callable
from pathlib import Path

from ladder.errors import LadderError


def only_root_attaches() -> bool:
    """Return whether only root may attach to a process that is not its child (ptrace(2), Yama)."""
    try:
        scope = Path("/proc/sys/kernel/yama/ptrace_scope").read_text("utf-8").strip()
    except OSError:
        return False
    return scope not in ("0", "")


def wait_for_debugger(pid: int, seconds: float, proceed: Callable[[float], bool]) -> None:
    """Wait until a debugger is attached to process *pid*, or until *proceed* returns True.

    *proceed* waits for the user, at most as long as its argument says.  Raises LadderError after *seconds*.
    """
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if _is_traced(pid) or proceed(0.2):
            return
    raise LadderError(
        f"no debugger was attached to process {pid} within {seconds / 60:.0f} min, and Enter was not pressed",
        "run the same command again; attach the debugger to the process that it names, then press Enter",
    )


def _is_traced(pid: int) -> bool:
    """Return whether a debugger is attached to process *pid* (proc_pid_status(5), TracerPid)."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text("utf-8").splitlines()
    except OSError:
        return False
    return any(line.startswith("TracerPid:") and line.split()[1] != "0" for line in lines)
