"""`ladder serve` behind nginx and Caddy, set up by the blocks that ladder/OPERATING.md shows."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPSConnection
from typing import Any, NamedTuple
from urllib.parse import urljoin

import pytest
from support.browser import NARROW, WIDE, open_page
from support.commands import process_group
from support.documents import PAGES, blocks
from support.ladders import run_command
from support.live import a_home
from support.need import need_program
from support.served import hidden_fields, leave_table, served, set_serve

from ladder.admission.people import changing_people
from ladder.live.connect import SUBPROTOCOL, read_frame, write_frame

pytestmark = [pytest.mark.tools, pytest.mark.slow]
SHOWN = PAGES["ladder/OPERATING.md"]
NAME = "example.org"


class Site(NamedTuple):
    """What a proxy shows, and where it listens on the loopback."""

    root: str
    """The path of the pages of `ladder serve`."""
    secure: int
    plain: int

    @property
    def origin(self):
        """The origin of its pages as this test reaches them."""
        return f"https://{NAME}:{self.secure}"

    def connect(self):
        """Return a connection to the secure site."""
        trusting = ssl.create_default_context()
        trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE  # our own certificate
        plain = socket.create_connection(("127.0.0.1", self.secure), 60)
        return trusting.wrap_socket(plain, server_hostname=NAME)

    @contextmanager
    def answer(self, path, fields=None, method="POST", **headers):
        """Ask for *path* of the secure site, by *method* if there are *fields*; yield the answer."""
        connection = HTTPSConnection("127.0.0.1", self.secure, timeout=60)
        connection.sock = self.connect()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        with closing(connection):
            connection.request(
                "GET" if fields is None else method, path, fields, {"Host": f"{NAME}:{self.secure}", **named}
            )
            with connection.getresponse() as answer:
                yield answer

    def ask(self, path, fields=None, method="POST", **headers):
        """Return the status of the answer, its body, and where it leads."""
        with self.answer(path, fields, method, **headers) as answer:
            return answer.status, answer.read().decode(), answer.getheader("location") or ""

    def page(self, path, **headers):
        """Return the page at *path* of the secure site."""
        status, text, _ = self.ask(path, **headers)
        assert 200 == status, path
        return text


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def replaced(text, *pairs):
    """Return *text* with what stands for the machine of the page replaced; each must be there."""
    for pattern, by in pairs:
        text, count = re.subn(pattern, by, text)
        assert count, f"the page does not have {pattern}"
    return text


def certificate(folder):
    """Write a certificate for NAME that it signs itself."""
    asked = f"req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN={NAME}"
    keys = ["-keyout", folder / "privkey.pem", "-out", folder / "fullchain.pem"]
    subprocess.run([need_program("openssl"), *asked.split(), *keys], check=True, capture_output=True)


def nginx_of(folder, server, site):
    """Write the settings of nginx as the page shows them; return its command."""
    (block,) = blocks("nginx", SHOWN)
    block = replaced(
        block,
        (r"listen \[::\].*\n", "\n"),
        (r"listen 80;", f"listen 127.0.0.1:{site.plain};"),
        (r"listen 443 ssl", f"listen 127.0.0.1:{site.secure} ssl"),
        (rf"/etc/letsencrypt/live/{NAME}", str(folder)),
        (r"/var/ladder/public/", f"{folder}/public/"),
        (r"http://127\.0\.0\.1:8000/", server),
        (r"location /ladder/", f"location {site.root}"),
    )
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    scratch = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    user = "user root;\n" if os.getuid() == 0 else ""
    text = f"{user}pid {folder}/pid;\nevents {{}}\nhttp {{\naccess_log off;\n{scratch}{block}}}\n"
    (folder / "nginx.conf").write_text(text)
    program = shutil.which("nginx", path="/usr/sbin") or need_program("nginx")
    return [program, "-c", f"{folder}/nginx.conf", "-e", f"{folder}/log", "-g", "daemon off;"]


def caddy_of(folder, server, site):
    """Write the settings of Caddy as the page shows them; return its command."""
    (block,) = blocks("caddy", SHOWN)
    keys = f"\ttls {folder}/fullchain.pem {folder}/privkey.pem\n"
    block = replaced(
        block,
        (rf"(?m)^{NAME} {{\n", f"https://{NAME}:{site.secure} {{\n{keys}"),
        (r"/var/ladder/public", f"{folder}/public"),
        (r"127\.0\.0\.1:8000", server.removeprefix("http://").rstrip("/")),
    )
    where = f"{{\n\tadmin off\n\thttp_port {site.plain}\n\tdefault_bind 127.0.0.1\n}}\n"
    (folder / "Caddyfile").write_text(where + block)
    program = need_program("caddy")
    options = ["--adapter", "caddyfile", "--config", f"{folder}/Caddyfile"]
    checked = subprocess.run([program, "validate", *options], capture_output=True, text=True, cwd=folder)
    assert 0 == checked.returncode, checked.stderr
    return [program, "run", *options]


@pytest.fixture
def person(home):
    """Return the header of a person with a token."""
    with changing_people(home) as people:
        return {"Authorization": f"Bearer {people.renew('ann') if 'ann' in people else people.add('ann')}"}


@contextmanager
def shown_by(proxy, home, folder, root):
    """Serve *home* behind *proxy*, below the path *root*."""
    certificate(folder)
    (folder / "public").mkdir()
    (folder / "public" / "index.html").write_text("the site")
    site = Site(root, free_port(), free_port())
    set_serve(home, behind_proxy="X-Forwarded-For", url=f"{site.origin}{root}")
    (folder / "inbox").mkdir()
    with served(home, "--uploads", str(folder / "inbox")) as (server, _):
        command = proxy(folder, server, site)
        log = (folder / "said").open("wb")
        environment = os.environ | {"HOME": str(folder), "XDG_DATA_HOME": str(folder)}
        with log, process_group(command, stdout=log, stderr=log, env=environment) as process:
            deadline = time.monotonic() + 30
            while not answers(site.secure):
                assert process.poll() is None, (folder / "said").read_text()
                assert time.monotonic() < deadline, (folder / "said").read_text()
                time.sleep(0.05)
            yield site


def answers(port):
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    home = a_home(tmp_path_factory.mktemp("proxied") / "home")
    file = home.path / "ladder.toml"
    file.write_text(file.read_text().replace('tier = "none"', 'tier = "auto"'))  # else nothing is uploaded
    assert 0 == run_command(home.path, "--games", "2", "--game", "stellar").returncode
    return home


@pytest.fixture(
    scope="module",
    params=[(nginx_of, "/ladder/"), (nginx_of, "/"), (caddy_of, "/ladder/")],
    ids=["nginx below a path", "nginx at the root", "caddy below a path"],
)
def site(request, home, tmp_path_factory):
    proxy, root = request.param
    with shown_by(proxy, home, tmp_path_factory.mktemp("proxy"), root) as site:
        yield site


def fields_of(page, **more):
    """Return the hidden fields of a form of *page*, and *more*, as a browser sends them."""
    return "&".join(f"{name}={value}" for name, value in {**hidden_fields(page), **more}.items())


def open_table(site, **headers):
    """Start a match of Stellar as a browser does that sends *headers* with forms; return its path."""
    choice = f"{site.root}play"
    fields = fields_of(site.page(f"{choice}?game=stellar&seats=2"), seat="0", bot="first")
    status, page, to = site.ask(choice, fields, **headers)
    assert 303 == status, page
    return urljoin(choice, to)


@pytest.mark.parametrize("fetched", [{"Sec_Fetch_Site": "same-origin"}, {}], ids=["new", "old"])
def test_a_person_plays_behind_a_proxy(site, fetched):
    """Old browsers say by Origin alone where a form comes from."""
    headers = {"Origin": site.origin, **fetched}
    table = open_table(site, **headers)
    assert table.startswith(f"{site.root}table/")
    moves = 0
    while moves < 3:
        page = site.page(table, Accept="text/html")
        if option := re.search(r'<button type="submit" name="option" value="([^"]*)"', page):
            move = fields_of(page, option=option[1].replace(" ", "+"))
            status, said, _ = site.ask(f"{table}/move", move, Accept="application/json", **headers)
            assert (200, {"problem": ""}) == (status, json.loads(said))
            moves += 1
    status, _, to = site.ask(f"{table}/leave", fields_of(page), **headers)
    assert (303, table) == (status, urljoin(f"{table}/leave", to))


def test_events_come_through_a_proxy_as_they_happen(site):
    """The stream does not end meanwhile: through a proxy that waits for its end, nothing would come."""
    with site.answer(f"{open_table(site, Origin=site.origin)}/news") as stream:
        assert "text/event-stream" in str(stream.getheader("content-type"))
        state: dict[str, Any] = {}
        while "status yours" not in state.get("html", ""):
            line = stream.readline().decode()
            assert line, "the stream has ended"
            if line.startswith("data: "):
                state = json.loads(line.removeprefix("data: "))


def test_an_upload_comes_whole_through_a_proxy(site, person):
    api = f"{site.root}api/v1/"
    status, told, _ = site.ask(f"{api}bots/big.zip", b"x" * 20_000_000, "PUT", **person)
    assert (202, 20_000_000) == (status, json.loads(told)["bytes"])


LINES = (
    "Content-Length: 5\r\nTransfer-Encoding: chunked",
    "Content-Length: 5\r\nContent-Length: 7",
    "Transfer-Encoding: gzip, chunked",
    "Transfer-Encoding : chunked\r\nContent-Length: 5",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
)


@pytest.mark.parametrize("lines", LINES)
def test_no_second_request_hides_in_a_body(site, person, lines):
    head = f"Host: {NAME}\r\nConnection: close\r\nAuthorization: {person['Authorization']}\r\n"
    hidden = f"GET {site.root}api/v1/me HTTP/1.1\r\n{head}\r\n"
    with site.connect() as connection:
        put = f"PUT {site.root}api/v1/bots/small.py HTTP/1.1\r\n{head}{lines}\r\n\r\n0\r\n\r\n{hidden}"
        connection.sendall(put.encode())
        said = b"".join(iter(lambda: connection.recv(65_536), b""))
    assert re.fullmatch(rb"HTTP/1.1 (400|501) .*", said.partition(b"\r\n")[0]), said
    assert 1 == said.count(b"HTTP/1.1 ")


def test_a_seat_is_opened_through_a_proxy(site, person):
    from websockets.sync.client import connect

    dialled = connect(
        f"ws://{NAME}:{site.secure}{site.root}api/v1/seat",
        sock=site.connect(),
        additional_headers=person,
        subprotocols=[SUBPROTOCOL],
        compression=None,
    )
    with dialled as client:
        client.send(write_frame("seat", "mine", 4))
        assert b"seat" == read_frame(client.recv(30))[0]


def test_a_path_without_its_slash_leads_to_it(site):
    assert "the site" == site.page("/results/")
    for path in {"/results", site.root.rstrip("/")} - {""}:
        status, _, to = site.ask(path)
        assert status in (301, 302)
        assert re.fullmatch(rf"https://{NAME}(:\d+)?{path}/", urljoin(f"{site.origin}{path}", to))


def test_the_plain_address_leads_to_the_secure_one(site):
    with closing(HTTPConnection("127.0.0.1", site.plain, timeout=60)) as connection:
        connection.request("GET", f"{site.root}play", headers={"Host": NAME})
        answer = connection.getresponse()
        assert answer.status in (301, 308)
        assert re.fullmatch(rf"https://{NAME}(:\d+)?{site.root}play", str(answer.getheader("location")))


def test_a_browser_plays_behind_a_proxy(site, browser):
    where = f"{site.origin}{site.root}"
    with open_page(browser, f"{where}play?game=stellar&seats=2", own_certificate=True) as page:
        page.get_by_role("button", name="Start the match").click()
        page.locator(".every summary").click()
        page.locator(".options button").first.click()
        page.locator(".log li").first.wait_for()
        leave_table(page)
        page.wait_for_selector("text=You left; the match is not kept")
        page.get_by_role("link", name="Play again").click()
        page.locator("a.ladder").click()
        page.wait_for_url(f"{where}index.html")
        page.get_by_role("link", name="Matches", exact=True).click()
        page.get_by_role("link", name="1/1", exact=True).click()
        page.wait_for_url(f"{where}match/1/1")
        for width in (WIDE, NARROW):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
