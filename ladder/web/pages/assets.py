"""The style sheets and scripts of pages, and the Content-Security-Policy that allows these and no others.

Files are next to this module, in `assets/`.  A page of a folder links to them; a page that is one file holds
them, and its policy names each by its hash, so that no other script or style in the page has an effect.
"""

import re
from base64 import b64encode
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path

from engines.drawing import style_sheet

PAGE_ASSETS = ("site.css", "site.js")
"""What every page needs."""

BOARD = "board.css"
"""The style sheet of all pictures; it stands with the drawings, in engines/drawing/."""
_HASH_IN_NAME = re.compile(r"\.[0-9a-f]{10}\.")
FOLDER = Path(__file__).with_name("assets")
ASSETS = {BOARD, *(file.name for file in FOLDER.iterdir())}
"""All of them."""
_REST = "img-src data:; base-uri 'none'"
"""Pictures are SVG in the page itself; data: is for those that a style sheet holds."""


@cache
def read_asset(name: str) -> str:
    """Return the text of the style sheet or script called *name*."""
    return style_sheet() if name == BOARD else (FOLDER / name).read_text("utf-8")


@cache
def asset_file(name: str) -> str:
    """Return the name of the file in which pages look for an asset.

    It tells the content, so a browser may keep the file as long as it likes.
    """
    stem, _, kind = name.rpartition(".")
    return f"{stem}.{sha256(read_asset(name).encode()).hexdigest()[:10]}.{kind}"


def asset_of(file: str) -> str:
    """Return the name of the asset in *file*, which may be one of another version of the ladder."""
    return _HASH_IN_NAME.sub(".", file, count=1)


def policy_of_files(*, live: bool = False) -> str:
    """Return the policy of a page that links to files of its own folder or server.

    A *live* page may also talk to the server that it came from.
    """
    connect = " connect-src 'self';" if live else ""
    return f"default-src 'none'; script-src 'self'; style-src 'self';{connect} form-action 'self'; {_REST}"


def policy_of_texts(scripts: Iterable[str], styles: Iterable[str]) -> str:
    """Return the policy of a page that holds these *scripts* and *styles*, and links to nothing."""
    return (
        f"default-src 'none'; script-src {_hashes(scripts)}; style-src {_hashes(styles)};"
        f" form-action 'none'; {_REST}"
    )


def _hashes(texts: Iterable[str]) -> str:
    """Return a source list with the hash of each of *texts*: Content Security Policy Level 3, 2.3.1."""
    hashed = [f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in texts]
    return " ".join(hashed) or "'none'"
