"""The container file: its commands are run, and it is built where that can be done."""

import shutil
import subprocess
from pathlib import Path

import pytest
from support.container_file import obstacle, read_container_file, script_of, start_point
from support.places import ROOT

FILE = ROOT / "Containerfile"
BASE = "docker.io/library/python:3.13-slim"


def sources_in(folder: Path) -> Path:
    """Copy what is in the checkout into *folder*, without what git ignores."""
    files = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True
    )
    if files.returncode:
        pytest.skip("this is no checkout of git")
    folder.mkdir()
    for name in filter(None, files.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def run_file(
    text: str, folder: Path, then: list[str], monkeypatch: pytest.MonkeyPatch
) -> subprocess.CompletedProcess[str]:
    """Run the commands of the container file *text*, then those of *then*, below *folder*."""
    monkeypatch.setenv("LADDER_COMPILE", "never")  # tests/test_compiled.py compiles
    monkeypatch.setenv("PIP_NO_COMPILE", "1")  # a third of the time
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)
    if why := obstacle(folder):
        pytest.skip(f"needs root and overlayfs: {why}")
    python = next(
        (path for path in map(Path, ("/usr/local/bin/python3", "/usr/bin/python3")) if path.exists()), None
    )
    if python is None or subprocess.run([python, "-c", "import ensurepip"], capture_output=True).returncode:
        pytest.skip("there is no Python that makes environments and that every user may start")
    path = folder / "Containerfile"
    path.write_text(text)
    script = script_of(read_container_file(path), sources_in(folder / "sources"), folder, python, then)
    return subprocess.run(["unshare", "-m", "sh", "-eu"], input=script, capture_output=True, text=True)


@pytest.mark.tools
@pytest.mark.slow
def test_the_commands_of_the_container_file_make_a_ladder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ladder,) = start_point(read_container_file(FILE))
    then = [
        "test $(id -un) = ladder && command -v bwrap",
        f"{ladder} --version",
        f"{ladder} home init && {ladder} bots house add && {ladder} run --games 4 --game stellar",
        f"{ladder} serve --help && test -w /var/ladder && ! test -w /opt/ladder",
    ]
    done = run_file(FILE.read_text(), tmp_path, then, monkeypatch)
    assert 0 == done.returncode, done.stdout[-3000:] + done.stderr[-3000:]
    assert "stellar" in done.stdout


def test_the_container_file_takes_in_all_that_the_wheel_is_built_from() -> None:
    taken = {
        name
        for instruction, text in read_container_file(FILE)
        if instruction == "COPY" and not text.startswith("--from")
        for name in text.split()[:-1]
    }
    assert {"pyproject.toml", "README.md", "LICENSE", "tests/bad_bots"} < taken
    assert {"bots", "engines", "ladder", "protocol", "results"} < taken
    assert all((ROOT / name).exists() for name in taken)


@pytest.mark.tools
@pytest.mark.slow
def test_the_container_file_is_built_where_podman_and_the_base_image_are(tmp_path: Path) -> None:
    podman = shutil.which("podman")
    if not podman or subprocess.run([podman, "image", "exists", BASE]).returncode:
        pytest.skip(f"podman or the image {BASE} is not here")
    tag = f"localhost/ladder-test-{tmp_path.name}"
    try:
        subprocess.run([podman, "build", "-q", "-t", tag, str(ROOT)], check=True, capture_output=True)
        done = subprocess.run([podman, "run", "--rm", tag, "doctor"], capture_output=True, text=True)
        assert 0 == done.returncode, done.stderr
        assert "tier landlock" in done.stdout
    finally:
        subprocess.run([podman, "rmi", "-f", tag], capture_output=True)
