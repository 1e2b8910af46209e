"""Headless Chromium for tests.  A page that asks for anything elsewhere, or complains, fails its test.

Tests get the fixtures `browser` and `axe`, which stand in conftest.py.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urldefrag, urlsplit

from support.need import need, need_program

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NARROW, WIDE = 375, 1280
"""Widths in CSS pixels: a telephone, a laptop."""
_WIDER = """() => {
  const isHeld = (each) => {
    for (let around = each; (around = around.parentElement) !== document.body; ) {
      if (getComputedStyle(around).overflowX !== "visible") return true;
    }
    return each.closest(".unseen") !== null;
  };
  const edge = document.documentElement.clientWidth + 1;
  return [...document.querySelectorAll("body *")]
    .filter((each) => each.checkVisibility() && each.getBoundingClientRect().right > edge && !isHeld(each))
    .map((each) => each.outerHTML.slice(0, 100));
}"""
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP example.org 127.0.0.1",  # a proxy of a test has this name
]


@contextlib.contextmanager
def run_browser(environment: Mapping[str, str] | None = None) -> Iterator[Browser]:
    """Run the distribution's Chromium; skip the test if there is none.

    *environment* is that of the browser in place of the test's own, such as one with other fonts.

    While it runs, asyncio.run fails in this thread: Playwright has its event loop there.
    """
    program = need_program("chromium")
    with need("playwright.sync_api").sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, args=FLAGS, env={**(os.environ if environment is None else environment)}
        )
        try:
            yield browser
        finally:
            browser.close()


@contextlib.contextmanager
def open_page(
    browser: Browser,
    where: Path | str,
    *,
    width: int = WIDE,
    height: int = 900,
    dark: bool = False,
    javascript: bool = True,
    touch: bool = False,
    reduced_motion: bool = False,
    within: Path | str | None = None,
    own_certificate: bool = False,
    quiet: bool = True,
) -> Iterator[Page]:
    """Open a file or a URL, and fail the test at the end unless the page kept to itself and was quiet.

    A request may go to the file itself or, if *where* is a URL of a server, to that server; *within* is a
    folder or the beginning of a URL that requests may go to instead.  With *own_certificate* the server may
    have signed its certificate itself.  Reported are all other requests, errors
    and warnings on the console (breaches of the Content-Security-Policy are among them), and exceptions.
    If the page need not be *quiet*, the console may tell of answers that are errors, or do not come.
    """
    url = where.as_uri() if isinstance(where, Path) else where
    allowed = (within.as_uri() + "/" if isinstance(within, Path) else within) or _home_of(url)
    trouble: list[str] = []
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if dark else "light",
        java_script_enabled=javascript,
        has_touch=touch,
        is_mobile=touch,
        reduced_motion="reduce" if reduced_motion else "no-preference",
        ignore_https_errors=own_certificate,
    )
    try:
        page = context.new_page()
        page.set_default_timeout(60_000)  # a busy machine renders late; no test means a time
        page.on("request", lambda request: trouble.extend(_stray(request.url, allowed)))
        page.on("websocket", lambda socket: trouble.extend(_stray(socket.url, allowed)))
        page.on("pageerror", lambda error: trouble.append(f"exception: {error}"))
        page.on("console", lambda said: trouble.extend(_complaint(said.type, said.text, quiet)))
        page.goto(url)
        if javascript:  # a replay begins when its data are inflated
            page.wait_for_selector(".viewer-bar[hidden]", state="detached")
        yield page
        page.evaluate("1")  # what was reported before this has arrived
    finally:
        context.close()
    assert not trouble, "\n".join(trouble)


def _home_of(url: str) -> str:
    """Return the file that *url* names, or its server's origin."""
    parts = urlsplit(url)
    return urldefrag(url).url if parts.scheme == "file" else f"{parts.scheme}://{parts.netloc}/"


def _stray(url: str, allowed: str) -> list[str]:
    inside = url.startswith(("data:", "blob:", "about:")) or (
        url.startswith(allowed) if allowed.endswith("/") else urldefrag(url).url.partition("?")[0] == allowed
    )
    return [] if inside else [f"request to {url}"]


def _complaint(kind: str, text: str, quiet: bool) -> list[str]:
    if not quiet and text.startswith("Failed to load resource"):
        return []
    return [f"console: {text}"] if kind in ("error", "warning") else []


def find_violations(page: Page, axe: str) -> list[str]:
    """Return what *axe* finds serious or critical in *page*: each rule with the elements that break it."""
    page.evaluate(axe + ";0")
    found = page.evaluate("() => axe.run({preload: false}).then(report => report.violations)")
    return [
        f"{rule['id']} ({rule['impact']}): {node['html'][:200]} {node['failureSummary'][:300]}"
        for rule in found
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
    ]


def find_wider(page: Page) -> list[str]:
    """Return the elements of *page* that are wider than its window and do not scroll inside another."""
    found: list[str] = page.evaluate(_WIDER)
    return found
