"""Render a template.  Every value is shown as text: markup is escaped, and so is what cannot be printed."""

import zlib
from base64 import b64encode
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from ladder.web.pages.frame import Frame
from results.reports.values_as_text import UNSEEN

TEMPLATES = Path(__file__).parents[1]
"""Templates are named by their paths below it: each room has its own, `pages/templates/base.html`."""
DOCUMENT = "pages/templates/document.html"


def visible(text: str) -> str:
    r"""Return *text* with what cannot be seen escaped, such as \x1b and \u202e.

    A bot that names itself with a mark of direction cannot turn around the text beside its name.
    """
    return UNSEEN.sub(lambda found: found[0].encode("unicode_escape", "surrogatepass").decode(), text)


def packed_block(value: Any, name: str) -> Markup:
    """Return *value*, deflated and in base64, in an element called *name*: viewer-elements.js inflates it.

    Nothing in base64 ends the element or begins another.
    """
    packed = b64encode(zlib.compress(msgspec.json.encode(value), 9)).decode()
    return Markup('<script type="text/plain" id="{}">{}</script>').format(name, packed)


def render(template: str, frame: Frame, **values: Any) -> str:
    """Return the page that *template* makes of *values*, in its *frame*.

    Templates are named by paths such as `site/templates/bot.html`.  A value that a template names but did not
    get is an error, not an empty place.
    """
    return _environment().get_template(template).render(frame=frame, **values)


@cache
def macro(name: str) -> Callable[..., Markup]:
    """Return the macro of document.html that is called *name*."""
    made: Callable[..., Markup] = getattr(_environment().get_template(DOCUMENT).module, name)
    return made


@cache
def _environment() -> Environment:
    return Environment(
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        loader=FileSystemLoader(TEMPLATES),
    )


def _finalize(value: Any) -> Any:
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value
