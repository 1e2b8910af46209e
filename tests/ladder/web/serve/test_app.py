"""The pages of `ladder serve`: what they show, what they refuse, and that a seat's page holds no secret."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from html import unescape
from random import Random
from typing import Any, get_args
from unittest import mock
from urllib.parse import quote_plus, urljoin

import pytest
from starlette.exceptions import HTTPException
from starlette.testclient import TestClient
from support.command_line import listing
from support.ladders import processes
from support.live import a_home
from support.main_module import ladder_as_main
from support.rated_homes import a_replayable_home
from support.records import a_block
from support.served import hidden_fields, wait_until

from engines import GAMES
from ladder.errors import WHOSE, LadderError, Whose
from ladder.home.home import Home
from ladder.live.live_messages import Asked, LiveFailed, Over, Remark, Seen
from ladder.web.pages.assets import asset_file, read_asset
from ladder.web.serve import app, hosted_matches
from ladder.web.serve.app import create_app
from ladder.web.serve.guard import BODY_BYTES, Hosts
from ladder.web.serve.play_page import Offer, opponents
from ladder.web.serve.public_address import read_public_address
from ladder.web.serve.visitors import Shares
from results.record import encode_block
from results.storage.unrated import unrated_stores

URL = "http://127.0.0.1:8000"
HERE = {"origin": URL, "sec-fetch-site": "same-origin"}
SCRIPT = "application/json"
"""What the script of a page accepts."""
LEGEND = "[M3.2] lies face up, (M3.2) face down"
"""An example that the text of every view of Stellar has."""
HOSTILE = "<script>alert(1)</script>\"'>&\u202e\x1b[31m"


def client_of(home, public=""):
    shown_as = read_public_address(public) if public else None
    served = create_app(home, public=shown_as)
    return TestClient(served, base_url=URL, follow_redirects=False)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return a_home(tmp_path_factory.mktemp("serve") / "home", mark="mark-of-serve")


@pytest.fixture
def client(home):
    with ladder_as_main(), client_of(home) as client:
        yield client


def token_of(client):
    return hidden_fields(client.get("/play?game=stellar").text)["token"]


def form(client, **fields):
    seats = {"game": "stellar", "seats": "2", "seat": "0", "bot": ["first"]}
    return {"token": token_of(client), **seats, **fields}


def sat_down(client, **fields):
    """Start a match; return the address of its table."""
    answer = client.post("/play", data=form(client, **fields), headers=HERE)
    assert 303 == answer.status_code, answer.text
    return urljoin("/play", answer.headers["location"])


def asked(client, table):
    """Wait for the person's next decision; return the page, the options and the least number of them."""
    for _ in range(20):
        page = client.get(table, headers={"accept": "text/html"}).text
        if "What has happened" in page and ('class="options"' in page or "Watch the replay" in page):
            break
    options = re.findall(r'name="option" value="([^"]*)"', page)
    low = re.search(r'data-low="(\d+)"', page)
    return page, options, int(low[1]) if low else 0


def moved(client, table, page, options, accept="text/html"):
    fields = {**hidden_fields(page), "option": options}
    headers = {**HERE, "accept": accept}
    return client.post(f"{table}/move", data=fields, headers=headers).status_code


# -- results


def test_the_first_page_leads_to_the_tables_and_to_a_match(tmp_path):
    home = a_replayable_home(tmp_path / "home")
    before = listing(home.path)
    with client_of(home) as client:
        page = client.get("/").text
        calls = dict(re.findall(r'<a class="call" href="([^"]*)">([^<]*)</a>', page))
        assert ["Play against the bots", "Watch a match", "Submit a bot"] == [*calls.values()]
        for address in calls:
            assert 200 == client.get(f"/{address}", follow_redirects=True).status_code
        for name in re.findall(r'<(?:link rel="stylesheet" href|script src)="([^"]+)"', page):
            assert 200 == client.get(f"/{name}").status_code, name
    assert before == listing(home.path), "reading writes nothing"


@pytest.mark.parametrize(
    "path", ["/match/1/7", "/match/d9/0", "/match/x/y", "/table/none", "/nothing", "/x/y/z"]
)
def test_what_is_not_there_is_a_page_that_says_so(client, path):
    answer = client.get(path)
    assert 404 == answer.status_code
    assert "That did not work" in answer.text


# -- who may ask


def test_the_page_to_play_names_the_games_in_their_order_and_offers_the_bots_of_before(client):
    page = client.get("/play?game=stella&seats=3&bot=first&bot=nobody").text
    at = [page.index(f'<span class="game">{game.replace("-", " ").title()}</span>') for game in GAMES]
    assert sorted(at) == at
    assert "Fifteen pictures lie on the table" in page
    assert 'href="rules/stella.html"' in page
    assert ["first"] == re.findall(r'<option value="([a-z-]+)" selected>', page)


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "", "8.8.8.8:8000"]
)
@pytest.mark.parametrize("path", ["/", "/play", "/site.css"])
def test_a_request_under_another_name_is_refused(client, host, path):
    """DNS rebinding: a page elsewhere names its own host after our address."""
    assert 421 == client.get(path, headers={"host": host}).status_code


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000", "LOCALHOST", "[::1]:8000", "127.0.0.2"])
def test_this_machine_has_several_names(client, host):
    assert 200 == client.get("/play", headers={"host": host}).status_code


def test_an_open_server_is_known_by_addresses_and_not_by_names_that_others_choose():
    hosts = Hosts("0.0.0.0")
    assert all(map(hosts.allows, ("192.168.1.5:8000", "localhost:8000", "[fe80::1]:8000", "10.0.0.1")))
    assert not any(map(hosts.allows, ("evil.example", "192.168.1.5.evil.example:80", "")))


# -- behind a proxy


@pytest.mark.parametrize("path", ["/", "/play", "/play?game=stellar", "/nothing", "/x/y/z", "/x%2Fy/z"])
def test_a_page_links_to_others_from_wherever_a_proxy_shows_it(client, path):
    client.get("/")
    page = client.get(path).text
    links = re.findall(r'(?:href|src|action|data-news)="(?!data:)([^"#][^"]*)"', page)
    shown_at = f"https://example.org/a/b{path}"
    below = "https://example.org/a/b/"
    assert {f"{below}{asset_file('site.css')}", f"{below}play"} <= {urljoin(shown_at, link) for link in links}
    assert all(urljoin(shown_at, link).startswith(below) for link in links)


@pytest.mark.process
def test_a_table_and_its_redirects_stay_below_the_path_of_a_proxy(client):
    opened = client.post("/play", data=form(client), headers=HERE).headers["location"]
    table = urljoin("/play", opened)
    page, options, _ = asked(client, table)
    shown_at = f"https://example.org/ladder{table}"
    links = re.findall(r'(?:href|src|action|data-news)="([^"#][^"]*)"', page)
    assert {f"{shown_at}/news", f"{shown_at}/move", f"{shown_at}/leave"} <= {
        urljoin(shown_at, link) for link in links
    }
    for action in ("move", "leave"):
        fields = {**hidden_fields(page), "option": options[0]}
        answer = client.post(f"{table}/{action}", data=fields, headers=HERE)
        assert 303 == answer.status_code
        assert shown_at == urljoin(f"{shown_at}/{action}", answer.headers["location"])


def test_a_server_with_a_public_address_is_known_by_its_name_too(home):
    with client_of(home, "https://Ladder.Example.org/club/") as client:
        for host, status in (
            ("ladder.example.org", 200),
            ("127.0.0.1:8000", 200),
            ("example.org", 421),
            ("evil.ladder.example.org", 421),
        ):
            assert status == client.get("/play", headers={"host": host}).status_code


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "https://example.org"}, 400),  # no Sec-Fetch-Site, and the proxy sends its own Host
        ({"origin": "https://EXAMPLE.org", "host": "example.org"}, 400),
        ({"origin": "http://example.org"}, 403),
        ({"origin": "https://example.org:8443"}, 403),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "https://example.org", "sec-fetch-site": "same-site"}, 403),
    ],
)
def test_a_form_of_the_public_address_is_taken(home, headers, status):
    """What is taken is read, and names a bot that is not there."""
    with client_of(home, "https://example.org:443/ladder") as client:
        fields = form(client, bot=["ghost"])
        assert status == client.post("/play", data=fields, headers=headers).status_code


def test_a_proxy_that_passes_on_its_own_path_is_said(home):
    with client_of(home, "https://example.org/ladder/") as client:
        for path in ("/ladder", "/ladder/", "/ladder/play"):
            answer = client.get(path)
            assert 404 == answer.status_code
            assert "The proxy must take /ladder away" in answer.text
        assert "The proxy" not in client.get("/ladders").text


FOREIGN = [
    {},
    {"origin": "http://evil.example"},
    {"origin": "http://evil.example", "sec-fetch-site": "cross-site"},
    {"origin": "null"},
    {"origin": "null", "sec-fetch-site": "cross-site"},
    {"origin": "http://127.0.0.1:8001"},
    {"origin": "http://127.0.0.1:8000.evil.example"},
    {"origin": URL, "sec-fetch-site": "same-site"},
    {"origin": "https://ladder.example"},
    {"origin": URL, "sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "none"},
    {"sec-fetch-site": ""},
]


@pytest.mark.parametrize("headers", FOREIGN)
@pytest.mark.parametrize("path", ["/play", "/table/x/move", "/table/x/leave"])
def test_a_form_of_another_page_is_refused(client, headers, path):
    assert 403 == client.post(path, data=form(client), headers=headers).status_code


@pytest.mark.parametrize("token", ["", "x", "\u00e9", None])
def test_a_form_without_our_token_is_refused(client, token):
    fields = form(client, token=token)
    if token is None:
        del fields["token"]
    assert 403 == client.post("/play", data=fields, headers=HERE).status_code


@pytest.mark.parametrize(
    "headers",
    [*({**HERE, "origin": origin} for origin in ("null", URL, "https://ladder.example")), {"origin": URL}],
)
def test_our_own_forms_are_taken_as_browsers_send_them(client, headers):
    """Behind a proxy the origin is the proxy's name; an extension that hides referrers makes it null.

    A browser that sends no fetch metadata is known by its origin.
    """
    answer = client.post("/play", data=form(client, bot=["ghost"]), headers=headers)
    assert 400 == answer.status_code, "it was read"


def test_get_changes_nothing_and_other_methods_are_refused(client):
    for path in ("/table/x/move", "/table/x/leave"):
        assert client.get(path).status_code in (404, 405)
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"):
        assert 405 == client.request(method, "/play", headers=HERE).status_code


def test_a_body_that_is_too_long_is_refused(client):
    assert 413 == client.post("/play", content=b"x" * (BODY_BYTES + 1), headers=HERE).status_code
    lies = {**HERE, "content-length": "10"}
    assert 413 == client.post("/play", content=iter([b"x" * (BODY_BYTES + 1)]), headers=lies).status_code
    many = b"&".join(b"a=%d" % number for number in range(501))
    assert 400 == client.post("/play", content=many, headers=HERE).status_code


def test_every_answer_forbids_scripts_of_others_and_frames(client):
    for path in ("/", "/play", "/site.js", "/nothing"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "script-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "nosniff" == headers["x-content-type-options"]
        assert "access-control-allow-origin" not in headers


def test_a_page_that_a_browser_has_already_is_not_sent_again(client):
    for path in ("/", "/bots.html", "/matches.html"):
        first = client.get(path)
        assert "gzip" == first.headers["content-encoding"]
        assert "no-cache" == first.headers["cache-control"]
        again = client.get(path, headers={"if-none-match": first.headers["etag"]})
        assert (304, b"") == (again.status_code, again.content)
        other = client.get(path, headers={"if-none-match": 'W/"0"', "accept-encoding": "gzip;q=0, br"})
        assert first.text == other.text
        assert "content-encoding" not in other.headers


def test_style_sheets_and_scripts_are_kept_for_a_year_under_a_name_that_tells_their_content(client):
    (script,) = re.findall(r'src="([^"]*site\.[0-9a-f]+\.js)"', client.get("/").text)
    headers = client.get(f"/{script}").headers
    assert "public, max-age=31536000, immutable" == headers["cache-control"]
    for path in ("/site.js", "/site.0123456789.js"):  # of an old page
        answer = client.get(path)
        assert "no-cache" == answer.headers["cache-control"]
        assert read_asset("site.js") == answer.text


@pytest.mark.process
def test_a_page_with_the_token_of_a_form_is_not_compressed_and_not_kept(client):
    """Else the length of the answer could tell the token, letter by letter (BREACH)."""
    table = sat_down(client)
    for path in ("/play", "/play?game=stellar&seats=2", table):
        headers = client.get(path).headers
        assert "content-encoding" not in headers
        assert "no-store" == headers["cache-control"]
        assert "etag" not in headers


# -- a seat


@pytest.mark.parametrize(
    "fields",
    [
        {"bot": ["ghost"]},
        {"bot": ["/etc/passwd"]},
        {"bot": ["../first"]},
        {"bot": ["first", "mixed"]},
        {"bot": []},
        {"seat": "2"},
        {"seat": "-1"},
        {"seat": HOSTILE},
        {"bot": [HOSTILE]},
    ],
)
def test_a_match_that_was_not_offered_is_refused(client, fields):
    answer = client.post("/play", data=form(client, **fields), headers=HERE)
    assert 400 == answer.status_code
    assert "<script>alert" not in answer.text


@pytest.mark.parametrize(
    ("game", "seats"), [("chess", "2"), ("stellar", "3"), (HOSTILE, "2"), ("stellar", HOSTILE)]
)
def test_a_table_that_does_not_exist_is_refused(client, game, seats):
    answer = client.post("/play", data=form(client, game=game, seats=seats), headers=HERE)
    assert 404 == answer.status_code
    assert 404 == client.get("/play", params={"game": game, "seats": seats}).status_code


async def test_a_match_that_is_being_kept_cannot_be_left(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    match = mock.Mock(void=None)
    monkeypatch.setattr(hosted_matches, "keep_match", lambda *_: ("d9", mock.Mock(matches=[match])))
    table = a_table(home)
    table._hear(Over("{}"))
    await table.end("you left; the match is not kept")
    await its_end(table)
    assert ("", "d9/0", match) == (table.problem, table.kept, table.result)


@pytest.mark.slow
def test_a_match_without_javascript_and_without_secrets(client, home):
    """No answer names a card before the person's own view or events do; the other's hand is in none."""
    kept = [*unrated_stores(home.results)]
    table = sat_down(client)
    shown: list[str] = []
    rng = Random(1)
    page, options, _ = asked(client, table)
    while options:
        shown.append(page)
        assert 303 == moved(client, table, page, [rng.choice(options)])
        assert 409 == moved(client, table, page, [options[0]], SCRIPT), "the same decision again"
        assert 303 == moved(client, table, page, [options[0]]), "a second click leads to the table"
        page, options, _ = asked(client, table)
    assert "The match is over." in page
    name = [*unrated_stores(home.results)][-1]
    assert [*kept, name] == [*unrated_stores(home.results)]
    assert f"kept as {name}/0" in page
    (title, ladder), (later, same) = re.findall('(?:<title>|data-title=")(.*?) · (.*?)[<"]', page)
    assert re.fullmatch(r"(You|\S+) beat (You|\S+), \d+ : \d+|a tie of .* each", title)
    assert (title, ladder) == (later, same), "what the script writes later"
    assert f'<meta name="description" content="{title}. Stellar">' in page
    assert 200 == client.get(f"/match/{name}/0").status_code
    assert f'href="match/{name}/0"' in client.get("/play").text
    _no_secret_in(home, name, shown)


def _no_secret_in(home, name, shown):
    from ladder.replay.replay import record_of
    from results.storage.unrated import contents_with

    record = record_of(*contents_with(home.results, f"{name}/0"))
    rules = GAMES[record["game"]]
    cards = set(re.findall(r'"([A-Z][0-9]\.[0-9])"', json.dumps(record["deal"])))
    assert len(cards) > 40
    step = rules.start(record["deal"], 2)
    known, pages, checked = "", iter(shown), 0
    for moves in record["moves"]:
        known += json.dumps([event.seen_by(0) for event in step.events])
        known += json.dumps(rules.view(step.state, 0))
        made = {seat: tuple(move) if isinstance(move, list) else move for seat, move, *_ in moves}
        if 0 in made:
            page = next(pages)
            choices = rules.choices(step.state)
            hidden = {card for card in cards if card not in known + json.dumps(choices[0].to_json())}
            plain = re.sub(r' d="[^"]*"', "", page).replace(LEGEND, "")  # without lines of shapes
            assert [] == [plain[plain.index(card) - 60 :][:80] for card in hidden if card in plain]
            checked += len(hidden)
        step = rules.play(step.state, made)
    assert checked > 200
    assert [] == [*pages]


@pytest.mark.process
def test_two_matches_go_on_at_once_and_can_be_left(client, home):
    kept = [*unrated_stores(home.results)]
    first, second = sat_down(client), sat_down(client, seat="1")
    assert first != second
    pages = [asked(client, table)[0] for table in (first, second)]
    assert processes("mark-of-serve")
    for table, page in zip((first, second), pages, strict=True):
        assert 303 == client.post(f"{table}/leave", data=hidden_fields(page), headers=HERE).status_code
        assert "You left; the match is not kept" in client.get(table).text
        assert 409 == moved(client, table, page, ["take 1"], SCRIPT)
    wait_until(lambda: not processes("mark-of-serve"))
    assert kept == [*unrated_stores(home.results)]


@pytest.mark.process
def test_the_page_to_play_leads_back_to_the_matches_of_the_same_browser_alone(home):
    with ladder_as_main(), client_of(home) as client:
        assert "in progress" not in client.get("/play").text
        first, second = sat_down(client), sat_down(client)
        shown = client.get("/play").text
        assert [second, first] == [f"/{found}" for found in re.findall(r'href="[./]*(table/[^"]+)"', shown)]
        assert "Go on" in shown
        cookie = client.cookies["tables"]
        client.cookies.clear()  # another person, perhaps at the same address
        assert "table/" not in client.get("/play").text
        strange = f"tables=..<b>.{cookie}x.{'y' * 4000}"
        assert 200 == client.get("/play", headers={"cookie": strange}).status_code
        client.cookies["tables"] = cookie
        fields = {"token": token_of(client)}
        assert 303 == client.post(f"{second}/leave", data=fields, headers=HERE).status_code
        shown = client.get("/play").text
        assert first.rpartition("/")[2] in shown
        assert second.rpartition("/")[2] not in shown


@pytest.mark.process
def test_the_cookie_of_tables_goes_to_no_script_and_to_no_other_site(home):
    for public, secure in (("", False), ("https://example.org/ladder/", True)):
        with ladder_as_main(), client_of(home, public) as client:
            answer = client.post("/play", data=form(client), headers=HERE)
            told = answer.headers["set-cookie"].lower()
            assert "httponly" in told
            assert "samesite=strict" in told
            assert "path" not in told  # the browser takes that of the page, below which a proxy may show it
            assert secure == ("secure" in told)


def data_in(page, name):
    """Return what the script of a page reads from it under this name."""
    return json.loads(unescape(re.findall(rf'data-{name}="([^"]*)"', page)[0]))


@pytest.mark.process
def test_a_page_knows_what_changed_and_what_only_looks_like_a_choice(client):
    table = sat_down(client)
    page, chosen, _ = asked(client, table)
    candidates = data_in(page, "candidates")
    assert ["slot-0-T2"] in candidates  # the first card goes to T1
    offered = unescape("".join(re.findall(r'data-parts="([^"]*)"', page)))
    assert "slot-0-T1" in offered
    assert "slot-0-T2" not in offered
    assert 303 == moved(client, table, page, [chosen[0]])
    page, _, _ = asked(client, table)
    told = data_in(page, "changes")
    assert told
    assert {*re.findall(r'<g class="part changed[^"]*" data-key="([^"]*)"', page)} <= told.keys()


@pytest.mark.parametrize(
    ("seats", "ranked", "proposed", "strong"),
    [
        (2, "dcba", "a", "d"),
        (3, "dcba", "ad", "d"),
        (4, "xdxcba", "acd", "d"),
        (4, "", "acd", ""),
        (4, "b", "adb", ""),
    ],
)
def test_a_form_proposes_different_bots_the_weakest_first(seats, ranked, proposed, strong):
    found, strengths = opponents(Offer("stella", seats, tuple("abcd")), ranked)
    assert [*proposed] == found
    assert [*strong] == [bot for bot, each in strengths.items() if each == "strong"]
    assert ([], {}) == opponents(Offer("stella", seats, ()), ranked)


@pytest.mark.process
def test_without_a_script_a_page_asks_before_a_light_is_burnt_and_before_each_move_if_wished(client):
    table = sat_down(client, game="stella-quest")
    page, _, _ = asked(client, table)
    fields = {**hidden_fields(page), "option": "draw"}

    def move(**more):
        return client.post(f"{table}/move", data={**fields, **more}, headers={**HERE, "accept": "text/html"})

    page = client.get(urljoin(f"{table}/move", move().headers["location"])).text
    assert "<b>Burn a light (5 left): draw three cards</b>" in page
    assert "burns one of your 5 lights" in page
    assert hidden_fields(page)["step"] == fields["step"], "nothing is played yet"
    assert "step=" not in move(sure="yes").headers["location"]
    page, options, _ = asked(client, table)
    fields = {**hidden_fields(page), "option": options[0]}
    told = move(each="yes").headers["location"]
    assert quote_plus(options[0]) in told
    assert 'value="yes" form="moves" checked' in client.get(urljoin(f"{table}/move", told)).text
    assert "step=" not in move(sure="yes").headers["location"]


@pytest.mark.process
def test_a_move_that_was_not_offered_is_refused(client):
    table = sat_down(client)
    page, _, _ = asked(client, table)
    for options in (["nonsense"], [HOSTILE], [], ["take 1", "take 2"]):
        assert 409 == moved(client, table, page, options)
    answer = client.post(
        f"{table}/move",
        data={"token": token_of(client), "step": "x", "option": "take 1"},
        headers={**HERE, "accept": "application/json"},
    )
    assert {"problem": "that decision has been made already"} == answer.json()


@pytest.mark.slow
def test_there_is_room_for_a_number_of_matches(client, monkeypatch):
    monkeypatch.setattr(hosted_matches, "MOST_TABLES", 1)
    sat_down(client)
    answer = client.post("/play", data=form(client), headers=HERE)
    assert 503 == answer.status_code
    assert "no room for more" in answer.text


def a_table(home, visitor="a", moved=0.0, moves=0, shares=None):
    """Return a table of *visitor*, who has last moved at that time; its match is made up."""
    plan = mock.Mock(game="stellar", names=lambda _: ["you", "first"], tellers=lambda: ["you", "first"])
    table = hosted_matches.HostedMatch(home, plan, mock.Mock(filenos=list), visitor, shares or Shares(1))
    table.moved, table.moves = moved, moves
    return table


def seen_by_person(*asked):
    rules = GAMES["stellar"]
    return Seen(1, [], rules.view(rules.start(rules.deal(2, Random(1)), 2).state, 0), asked)


async def test_each_state_of_a_table_has_its_sentence(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the first news to the last; none says that the bots are starting once they have."""
    kept = asyncio.Event()
    table = a_table(home)
    table.plan.person = 0  # type: ignore[misc]  # a mock
    monkeypatch.setattr(table, "_keep_if_room", lambda _: mock.Mock(matches=[mock.Mock(void=None, seats=[])]))
    walk: list[tuple[str, str]] = [(table.state, table.sentence())]
    for news in (
        seen_by_person(0),
        Asked(1, "one", ("draw", "skip")),
        None,  # the person moves
        seen_by_person(1, 0),
        seen_by_person(),
        Over("{}"),
        kept,
    ):
        if news is None:
            assert "" == table.move("1", ["draw"])
        elif news is kept:
            await its_end(table)
        else:
            table._hear(news)
        walk.append((table.state, str(table.sentence())))
    assert [
        ("starting", "The bots are starting …"),
        ("waiting", "Waiting for the others …"),
        ("asked", table.game.ask(table.seen.view) or "Your move"),
        ("waiting", "Waiting for the others …"),
        ("waiting", "Waiting for <bdi>first</bdi> …"),
        ("ending", "All moves are made. The result follows …"),
        ("ending", "All moves are made. The result follows …"),
        ("over", "The match is over."),
    ] == walk
    left = a_table(home)
    await left.end("you left; the match is not kept")
    assert ("failed", "You left; the match is not kept.") == (left.state, left.sentence())
    assert {state for state, _ in walk} | {"failed"} == {*get_args(hosted_matches.State)}


@pytest.mark.parametrize("whose", WHOSE)
async def test_a_visitor_reads_no_words_of_the_machine(
    home: Home, whose: Whose, caplog: pytest.LogCaptureFixture
) -> None:
    """Not on a page, and not at a table; the log has them."""
    words = "bubblewrap has not made a sandbox in /home/ann"

    class Failed(LadderError):
        def __init__(self):
            super().__init__(words, "ladder doctor")
            self.whose = whose

    table = a_table(home)
    table._hear(Remark(words))
    table._hear(LiveFailed(words, "", whose))
    with client_of(home) as client, mock.patch.object(app, "find_match", side_effect=Failed):
        answer = client.get("/match/1/0")
    shown = (answer.text, table.sentence(), *(line.words for line in table.lines))
    assert (whose == "caller") == any("ubblewrap" in each for each in shown)
    assert "ladder doctor" not in answer.text
    status = {"caller": 400, "machine": 503}.get(whose, 500)
    assert status == answer.status_code
    assert (whose == "machine") == ("This machine is busy; try again in a minute." in answer.text)
    assert words in caplog.text


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        (
            OSError(24, "Too many open files", "/home/ann"),
            503,
            "This machine is busy; try again in a minute.",
        ),
        (KeyError("/home/ann"), 500, "Something went wrong on this server."),
    ],
)
def test_what_nobody_has_foreseen_is_told_in_a_sentence(home, error, status, words):
    there = TestClient(create_app(home), base_url=URL, raise_server_exceptions=False)  # type: ignore[arg-type]
    with there as client, mock.patch.object(app, "find_match", side_effect=error):
        answer = client.get("/match/1/0")
    assert status == answer.status_code
    assert words in answer.text
    assert "/home/ann" not in answer.text


async def test_a_match_that_cannot_be_kept_names_no_file(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    full = OSError(28, "No space left on device", "/home/ann/results")
    monkeypatch.setattr(hosted_matches, "keep_match", mock.Mock(side_effect=full))
    table = a_table(home)
    table._hear(Over("{}"))
    await its_end(table)
    assert "The match is over, but this server could not keep it." == table.sentence()


async def test_open_pages_hear_that_the_server_ends_and_nothing_waits_for_it(home: Home) -> None:

    pages = app._Pages(home)
    ending = pages.ending

    async def for_ever() -> AsyncIterator[str]:
        yield "data: 1\n\n"
        await asyncio.sleep(3600)

    told = pages._tell_ending(for_ever())
    assert "data: 1\n\n" == await anext(told)
    asyncio.get_running_loop().call_soon(ending.set)
    assert (await anext(told)).startswith("event: ending\n")
    assert "" == await anext(told, "")
    assert None is await pages._unless_ending(asyncio.sleep(3600))


async def its_end(table: hosted_matches.HostedMatch) -> None:
    while not table.is_over:
        await table.next_change(table.version, 10)


def tables_with(home, *going_on):
    found = hosted_matches.HostedMatches(home)
    found._tables = {table.id: table for table in going_on}
    return found


async def test_one_visitor_has_some_of_the_tables(home: Home) -> None:
    mine = [a_table(home, "a", 1_000) for _ in range(hosted_matches.MOST_OF_ONE)]
    there = tables_with(home, *mine)
    with pytest.raises(hosted_matches.Full, match="4 matches are going on from your address"):
        there._find_room("a", 1_000)
    assert None is there._find_room("b", 1_000)
    mine[0].problem = "left"
    assert None is there._find_room("a", 1_000)


async def test_tables_without_a_move_go_first_those_of_the_fullest_visitor_before_others(home: Home) -> None:
    many = [a_table(home, "a", 990, moves=1), *(a_table(home, "a", 900 - i) for i in range(3))]
    few = [a_table(home, "b", 0), a_table(home, "c", -10, moves=1), *(a_table(home, "d", 990) for _ in "12")]
    there = tables_with(home, *many, *few)
    now = 1_030
    assert many[3] is there._find_room("e", now), "the oldest of the fullest"
    for table in many:
        table.moved = now
    assert few[1] is there._find_room("e", now), "with a move, after ten minutes"
    few[1].problem = "left"
    few.append(a_table(home, "c", now, moves=1))
    there = tables_with(home, *many, *few)
    assert few[0] is there._find_room("e", now)
    few[0].moved = now - 100
    with pytest.raises(hosted_matches.Full, match="8 matches are going on"):
        there._find_room("e", now)


async def test_a_match_that_is_one_too_many_is_shown_and_not_kept(home: Home) -> None:
    before = listing(home.path)
    none_left = Shares(1)
    assert none_left.take("other")
    table = a_table(home, shares=none_left)
    table._hear(Over(encode_block(a_block(0)).decode()))
    await its_end(table)
    assert ("", "") == (table.problem, table.kept)
    assert table.result
    assert before == listing(home.path)


async def test_a_page_that_leaves_before_its_first_event_keeps_no_place() -> None:
    async def events() -> AsyncIterator[str]:
        while True:
            yield "data: 1\n\n"
            await asyncio.sleep(1)

    async def leave() -> dict[str, str]:
        return {"type": "http.disconnect"}

    async def never(message: object) -> None:
        await asyncio.sleep(3_600)

    ended: list[str] = []
    stream = app._Stream(events(), lambda: ended.append("ended"))
    scope: dict[str, Any] = {"type": "http", "asgi": {"spec_version": "2.3"}}
    await stream(scope, leave, never)  # type: ignore[arg-type]  # no whole messages
    assert ["ended"] == ended
    assert scope["state"]["stream"]


def test_one_visitor_has_a_quarter_of_the_streams(home):
    pages = app._Pages(home)
    request = mock.Mock(scope={"state": {"visitor": "a"}})
    for _ in range(app.MOST_STREAMS // 4):
        pages._stream(request, mock.Mock())
    with pytest.raises(HTTPException, match="Too many pages are open"):
        pages._stream(request, mock.Mock())
    pages._stream(mock.Mock(scope={"state": {"visitor": "b"}}), mock.Mock())


@pytest.mark.slow
@pytest.mark.parametrize("limit", ["ALONE_SECONDS", "IDLE_SECONDS"])
def test_a_match_that_nobody_follows_is_ended(client, monkeypatch, limit):
    monkeypatch.setattr(hosted_matches, "LOOK_SECONDS", 0.1)
    table = sat_down(client)
    asked(client, table)
    monkeypatch.setattr(hosted_matches, limit, -1.0)
    wait_until(lambda: "The match was ended, because" in client.get(table).text)
