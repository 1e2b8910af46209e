"""Documents as the text that a pipe gets."""

import io
from contextlib import redirect_stderr, redirect_stdout

from ladder.cli.show_document import show_document
from results.reports.document import Document
from results.reports.labels import Numbers


def text_of(document: Document, numbers: Numbers | None = None) -> str:
    """Return what is printed of *document*, without its notes."""
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(io.StringIO()):
        show_document(document, numbers or {})
    return out.getvalue()
