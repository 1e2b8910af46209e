"""Count the connections that the browsers of a class open to `ladder serve`, when all come at once.

    PYTHONPATH=tests python tests/support/class_at_serve.py [VISITORS]

Each visitor has a browser of their own with two pages: the leaderboards, and the choice of a match.  It
prints the most connections at one moment, and how many stay: the streams of events.
"""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

from playwright.async_api import Browser, async_playwright

from ladder.home.home import create_home
from support.browser import FLAGS

EVERY_SECONDS = 0.02
QUIET_SECONDS = 10.0


def count_connections(port: int) -> int:
    """Return the number of connections that the server on *port* of this machine has now."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text("ascii").splitlines()[1:]]
    return sum(row[1].endswith(f":{port:04X}") and row[3] == "01" for row in rows)


async def visit(browser: Browser, url: str) -> None:
    """Open two pages in a browser of its own."""
    context = await browser.new_context()
    for path in ("", "play?game=stellar&seats=2"):
        page = await context.new_page()
        await page.goto(url + path, timeout=300_000, wait_until="load")


async def count(url: str, visitors: int) -> tuple[int, int]:
    """Return the most connections while *visitors* come, and those that stay."""
    port = urlsplit(url).port or 0
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        coming = asyncio.gather(*(visit(browser, url) for _ in range(visitors)))
        most = 0
        while not coming.done():
            most = max(most, count_connections(port))
            await asyncio.sleep(EVERY_SECONDS)
        await coming
        await asyncio.sleep(QUIET_SECONDS)
        stay = count_connections(port)
        await browser.close()
    return most, stay


def main(visitors: int = 60) -> None:
    """Serve an empty home, and print what is counted."""
    with tempfile.TemporaryDirectory() as folder:
        home = create_home(Path(folder, "home"))
        command = [sys.executable, "-m", "ladder", "serve", "--port", "0", "--home", str(home.path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout
                most, stay = asyncio.run(count(server.stdout.readline().strip(), visitors))
            finally:
                server.terminate()
    print(f"{visitors} visitors: at most {most} connections at once, {stay} stay")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
