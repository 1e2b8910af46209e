"""Texts as answers: compressed, with a tag by which a browser asks whether it has them already.

A page with the token of our forms goes as it is.  How long a compressed answer is tells what is in it, if
somebody else can put words of theirs beside a secret in it and ask again and again (BREACH, 2013).
"""

import gzip
from functools import lru_cache
from hashlib import sha256
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

_SHORTEST: Final = 500
"""Bytes: a shorter text is not compressed."""
_A_YEAR: Final = "public, max-age=31536000, immutable"
_ASK_FIRST: Final = "no-cache"
_LEVEL: Final = 6


def send_text(request: Request, text: str, kind: str = "text/html", *, forever: bool = False) -> Response:
    """Return *text*, which holds no secret, as the answer to *request*; *forever*: its address never changes.

    Where the browser has the same text already, it is told so.
    """
    tag, packed = _pack(text)
    headers = {"etag": tag, "cache-control": _A_YEAR if forever else _ASK_FIRST, "vary": "accept-encoding"}
    if tag in [each.strip() for each in request.headers.get("if-none-match", "").split(",")]:
        return Response(status_code=304, headers=headers)
    if packed and _takes_gzip(request.headers.get("accept-encoding", "")):
        return Response(packed, headers={**headers, "content-encoding": "gzip"}, media_type=kind)
    return Response(text, headers=headers, media_type=kind)


def _takes_gzip(accepted: str) -> bool:
    """Return whether the header Accept-Encoding names gzip, and not with the weight 0 (RFC 9110, 12.5.3)."""
    for each in accepted.lower().split(","):
        name, _, weight = each.replace(" ", "").partition(";q=")
        if name in ("gzip", "*"):
            return weight.strip("0.") != "" or not weight
    return False


@lru_cache(maxsize=32)  # the pages that a class opens again and again
def _pack(text: str) -> tuple[str, bytes]:
    """Return the tag of *text*, and *text* compressed if that is worth it."""
    plain = text.encode()
    # weak: the same page is the same, compressed or not (RFC 9110, 8.8.1)
    tag = f'W/"{sha256(plain).hexdigest()[:20]}"'
    return tag, gzip.compress(plain, _LEVEL, mtime=0) if len(plain) >= _SHORTEST else b""
