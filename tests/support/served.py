"""`ladder serve` as a program, for tests."""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ladder.home.home import Home
from support.command_line import ENVIRONMENT
from support.commands import process_group

if TYPE_CHECKING:
    from playwright.sync_api import Page


@contextmanager
def served(
    home: Home, *arguments: str, env: Mapping[str, str] = ENVIRONMENT
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Run `ladder serve`; yield its URL and the process."""
    command = [sys.executable, "-m", "ladder", "serve", "--port", "0", "--home", str(home.path), *arguments]
    with process_group(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(env)
    ) as process:
        assert process.stdout
        yield process.stdout.readline().strip(), process


def set_serve(home: Home, **values: str) -> None:
    """Write *values* in the settings of *home*, below [serve], in place of those before."""
    file = home.path / "ladder.toml"
    text = re.sub(r"(?m)^(\[serve\]|behind_proxy =|proxy =|url =).*\n", "", file.read_text("utf-8"))
    lines = [f"{key} = {json.dumps(value)}\n" for key, value in values.items()]
    file.write_text("".join([text, "\n[serve]\n", *lines]), "utf-8")


def hidden_fields(page: str) -> dict[str, str]:
    """Return the hidden fields of the first form of *page* that changes something."""
    form = page[page.index("<form method") :].partition("</form>")[0]
    return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form))


def wait_until(holds: Callable[[], object]) -> None:
    """Return when *holds* returns something; fail after a while."""
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def sit_down(page: Page) -> None:
    """Start the match that *page* offers, and wait for the first decision."""
    page.get_by_role("button", name="Start the match").click()
    page.wait_for_selector(".moves", state="attached")


def step_of(page: Page) -> str:
    """Return the step of the decision that *page* asks for."""
    return page.locator("input[name=step]").input_value()


def wait_for_next(page: Page, step: str) -> None:
    """Wait for what follows the decision of *step*: the turns of others, a decision, or the end."""
    page.wait_for_selector(f'.result, .play:not(:has(input[name=step][value="{step}"]))', state="attached")


def leave_table(page: Page) -> None:
    """Leave the match that *page* shows: the page asks first."""
    from playwright.sync_api import TimeoutError as Late

    for _ in range(5):
        page.click(".leave summary")
        with contextlib.suppress(Late):  # news have come meanwhile, and closed it again
            return page.click(".leave button", timeout=5_000)
    raise AssertionError("the page asks no more")
