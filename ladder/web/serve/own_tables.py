"""The tables that a browser has opened, so that a person who comes back finds them.

A cookie holds their ids.  The id of a table is its key, so the cookie reveals nothing new; an address would
not do, because many people may share one.
"""

import re
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from ladder.web.serve.hosted_matches import HostedMatch, HostedMatches

COOKIE: Final = "tables"
MOST: Final = 16
"""The most ids in the cookie.  Servers on other ports of this machine share it: their ids are kept."""
SECONDS: Final = 86_400
"""How long a browser keeps it: much longer than a table without moves goes on."""
_ID: Final = re.compile(r"[\w-]{1,64}", re.ASCII)


def find_own_tables(request: Request, tables: HostedMatches) -> list[HostedMatch]:
    """Return the tables of the browser that sends *request* at which a match goes on, the newest first."""
    found = [table for name in _ids(request) if (table := tables.find(name))]
    return [table for table in found if not (table.is_over or table.state == "ending")]


def remember_table(request: Request, answer: Response, table: HostedMatch, *, secure: bool) -> None:
    """Let *answer* tell the browser that sent *request* that it has opened *table*; *secure*: over TLS alone.

    The cookie has no path, so it goes to the pages beside `/play`, wherever a proxy shows them.
    """
    names = [table.id, *_ids(request)]
    answer.set_cookie(
        COOKIE, ".".join(names[:MOST]), SECONDS, path=None, secure=secure, httponly=True, samesite="strict"
    )


def _ids(request: Request) -> list[str]:
    names = request.cookies.get(COOKIE, "").split(".")[:MOST]
    return [name for name in dict.fromkeys(names) if _ID.fullmatch(name)]
