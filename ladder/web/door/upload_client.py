"""Hand in over HTTP: what `ladder push` asks a server that takes uploads."""

import os
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from pathlib import Path
from typing import IO, Any, Final
from urllib.parse import quote, urlsplit

import msgspec

from ladder.errors import LadderError, UsageProblem, printable
from ladder.machine.user_home import user_home
from ladder.web.serve.public_address import is_loopback
from results.storage.disk import put_page

VARIABLE: Final = "LADDER_TOKEN"
TOKENS: Final = ".config/ladder/tokens.json"
"""The file below the user's own folder that keeps tokens by the addresses of ladders."""
WAIT_S: Final = 60.0
"""How long a server may say nothing."""
CODES: Final = {404: 3, 429: 8, 503: 8, 507: 8}
"""The exit codes of refusals; of others it is 2."""


class UploadClient:
    """A server that takes uploads, and the token that it is sent."""

    def __init__(self, url: str) -> None:
        """Speak to the ladder at *url*.  Raises UsageProblem where a token would not be encrypted."""
        self._url, self.token = url, ""
        try:
            parts = urlsplit(url)
            self._at, self._path = (parts.hostname or "", parts.port), parts.path.rstrip("/")
        except ValueError:
            parts = urlsplit("")
        self._kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        is_here = parts.scheme == "http" and is_loopback(parts.hostname or "")
        if not parts.hostname or not (parts.scheme == "https" or is_here):
            what = f"expected an address that begins with https://, got: {url!r}"
            raise UsageProblem(what, "ladder push my_bot.py --to https://example.org/ladder/")

    def ask(self, address: str, file: IO[bytes] | None = None) -> dict[str, Any]:
        """Return the answer to GET *address*, or to PUT of *file*.  Raises LadderError."""
        if not (self.token.isascii() and self.token.isprintable()):  # errors of the library would quote it
            raise UsageProblem("this is no token of a ladder", f"ladder push --login {self._url}")
        headers = {"Authorization": f"Bearer {self.token}"}
        headers |= {"Content-Length": str(file.seek(0, 2))} if file else {}
        connection = self._kind(*self._at, timeout=WAIT_S)
        try:
            with suppress(BrokenPipeError, ConnectionResetError):  # it answers before it has the whole file
                if file:
                    file.seek(0)
                connection.request("PUT" if file else "GET", f"{self._path}/api/v1/{address}", file, headers)
            with connection.getresponse() as response:
                return _read(response)
        except (OSError, HTTPException) as error:
            what = f"{self._at[0]} does not answer: {printable(str(error) or type(error).__name__)}"
            raise LadderError(what, "the same command again; what has arrived is not sent twice") from None
        finally:
            connection.close()

    def keep_token(self) -> Path:
        """Keep the token where only this user can read it; return the file.  Raises OSError."""
        path = (user_home() or Path()) / TOKENS
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        put_page(path, msgspec.json.encode({**stored_tokens(), self._url.rstrip("/"): self.token}), 0o600)
        return path


def _read(response: HTTPResponse) -> dict[str, Any]:
    try:
        told = msgspec.json.decode(response.read(2**22), type=dict[str, Any])
        if response.status < 300:
            return told
        error = LadderError(printable(told["detail"]), printable(told.get("hint", "")))
        error.exit_code = CODES.get(response.status, 2)
        raise error
    except (msgspec.MsgspecError, KeyError, UnicodeDecodeError):
        what = f"expected the answer of a ladder, got one with the status {response.status}"
        raise LadderError(what, "check the address: it is that of the first page of the ladder") from None


@contextmanager
def open_upload(path: Path) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield the file at *path* and its name; a folder becomes an archive.  Raises OSError."""
    if not path.is_dir():
        with path.open("rb") as file:
            yield quote(path.name, safe=""), file
        return
    with tempfile.TemporaryFile() as packed:
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as archive:
            for each in sorted(path.rglob("*")):
                inside = each.relative_to(path)
                if each.is_file() and not any(part.startswith((".", "__pycache__")) for part in inside.parts):
                    archive.write(each, inside)
        yield quote(f"{path.resolve().name}.zip", safe=""), packed


def stored_tokens() -> dict[str, str]:
    """Return the tokens that were kept, by address.  Raises LadderError."""
    path = (user_home() or Path()) / TOKENS
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, str])
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.MsgspecError) as error:
        raise LadderError(f"{path} cannot be read: {error}", f"rm {path}; ladder push --login URL") from None


def find_token(url: str) -> str:
    """Return the token for *url*.  Raises UsageProblem if there is none."""
    if token := os.environ.get(VARIABLE) or stored_tokens().get(url.rstrip("/"), ""):
        return token.strip()
    raise UsageProblem(f"there is no token for {url}", f"ladder push --login {url}")
