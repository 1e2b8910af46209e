"""A run submits jobs to Slurm and cancels them.  No Slurm is here: small programs stand for its commands."""

import os
import re
import subprocess
import sys
from importlib.util import find_spec

import pytest
from support import ladders
from support.clusters import FEW, MARK, a_home, result
from support.command_line import ENVIRONMENT, run_apart, run_here
from support.need import need
from support.programs import write_program
from support.until import until

pytestmark = pytest.mark.tools

SBATCH = """\
import re, subprocess, sys
from pathlib import Path

jobs = Path(sys.argv[0]).parent
script = Path(sys.argv[-1]).read_text()
partition = re.search("^#SBATCH -p (.*)", script, re.MULTILINE)
if partition and partition[1] not in ("short", "long"):
    sys.exit(f"sbatch: error: invalid partition specified: {partition[1]}")
number = next(n for n in range(1, 1000) if not (jobs / f"{n}.sh").exists())
copy = jobs / f"{number}.sh"  # Slurm, too, runs a copy: the file is deleted when sbatch ends
copy.write_text(script)
copy.chmod(0o755)
with (jobs / f"{number}.log").open("w") as log:
    job = subprocess.Popen([copy], stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
(jobs / f"{number}.pid").write_text(str(job.pid))
print(f"Submitted batch job {number}")
"""
SCANCEL = """\
import os, signal, sys
from pathlib import Path

for number in sys.argv[1:]:
    pid = Path(sys.argv[0]).with_name(f"{number}.pid")
    os.killpg(int(pid.read_text()), signal.SIGTERM)
    pid.rename(pid.with_suffix(".cancelled"))
"""


@pytest.fixture(autouse=True)
def _jobqueue():
    if find_spec("dask_jobqueue") is None:  # loading it would take interrupts over in this process
        need("dask_jobqueue")


@pytest.fixture
def slurm(tmp_path, monkeypatch):
    """Return a folder with the programs of Slurm, which is in PATH, and its jobs."""
    folder = tmp_path / "slurm"
    write_program(folder / "sbatch", SBATCH)
    write_program(folder / "scancel", SCANCEL)
    monkeypatch.setitem(ENVIRONMENT, "PATH", f"{folder}:{os.environ['PATH']}")
    return folder


@pytest.mark.slow
def test_a_run_by_jobs_is_the_same_and_they_are_cancelled_at_its_end(slurm, tmp_path):
    alone, home = (a_home(tmp_path / name) for name in ("alone", "home"))
    ladders.play(alone, **FEW)
    asked = ["--games", str(FEW["matches"]), "--seed", str(FEW["seed"])]
    done = run_apart("run", "--home", home.path, *asked, "--on", "slurm:2", cwd=tmp_path)
    assert 0 == done.code, done.err
    assert result(alone) == result(home)
    assert "workers, slowest first:\nhost " in done.err
    assert ["1.cancelled", "2.cancelled"] == sorted(path.name for path in slurm.glob("*.cancelled"))
    script = (slurm / "1.sh").read_text()
    assert "#SBATCH --cpus-per-task=1\n" in script
    assert " tls://" in script
    assert [] == list(tmp_path.glob(".dask-jobqueue*")), "no key is left"
    until(lambda: not ladders.processes(MARK))


@pytest.mark.slow
def test_settings_of_jobs_are_those_of_dask_jobqueue_and_a_refusal_is_told(slurm, tmp_path, monkeypatch):
    home = ladders.a_home(tmp_path / "home", {"a": {}, "b": {}}, mark=MARK)
    monkeypatch.setitem(ENVIRONMENT, "DASK_JOBQUEUE__SLURM__QUEUE", "nowhere")
    done = run_apart("run", "--home", home.path, "--games", "4", "--on", "slurm:2", cwd=tmp_path)
    assert 1 == done.code
    assert "ladder: Slurm takes no job: invalid partition specified: nowhere\n" in done.err
    assert "~/.config/dask/jobqueue.yaml" in done.err
    assert [] == list(slurm.glob("*.pid"))


def test_without_slurm_nothing_is_made(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    code, _, err = run_here("run", "--home", tmp_path / "home", "--on", "slurm:2")
    assert 1 == code
    assert "there is no program `sbatch` here" in err
    assert not (tmp_path / "home").exists()


def test_without_dask_jobqueue_the_error_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.delitem(sys.modules, "ladder.run.executors.slurm_jobs", raising=False)
    monkeypatch.setitem(sys.modules, "dask_jobqueue", None)
    code, _, err = run_here("run", "--home", tmp_path / "home", "--on", "slurm:2")
    assert 1 == code
    assert re.search("next: pip install .*dask-jobqueue.* .*distributed", err)


def test_loading_it_leaves_interrupts_as_they_are():
    program = (
        "import signal; before = signal.getsignal(signal.SIGINT); import ladder.run.executors.slurm_jobs;"
        " assert before is signal.getsignal(signal.SIGINT)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
