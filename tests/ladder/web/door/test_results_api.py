"""Results as JSON: they are those of the commands, as openapi.json describes them, and hold no secret."""

import json
import re
from types import SimpleNamespace

import msgspec
import pytest
from jsonschema import Draft202012Validator
from starlette.testclient import TestClient
from support.command_line import run_here
from support.records import a_fault, a_lone_match, a_seat
from support.stores import stored
from support.taken_in import take_in

from ladder.admission.inbox_answers import InboxFolders
from ladder.home.home import create_home
from ladder.web.door.api import ROUTES, describe
from ladder.web.door.door import OPENAPI
from ladder.web.door.results_api import RESULTS
from ladder.web.serve.app import create_app
from results.record import Note, RunCommand, RunSettings, Usage
from results.storage.unrated import make_unrated

ASKED = {
    "leaderboard/{game}": ["leaderboard/stellar"],
    "bots": ["bots"],
    "bots/{name}": ["bots/alpha", "bots/beta"],
    "matches": ["matches", "matches?limit=1&after=1/2", "matches?after=9/0"],
    "matches/{run}/{number}": ["matches/1/0", "matches/d1/0"],
    "openapi.json": ["openapi.json"],
}
"""Good requests for each route."""
SECRET, SEED, DEAL_SEED = "5ec7e7" + "ab" * 13, 987_654_321, "dea15eed" * 8
NUMBERS = {"think_us": [123_457], "cpu_us": 123_458, "memory_bytes": 123_459, "usage": Usage(123_461, 0, 0.0)}
SAID = {name: f"{name.upper()}-OF-A-BOT" for name in ("stderr", "answer", "request", "reason", "choice")}
MARKS = ("NOTE-ON-A-MOVE", "NOTE-ON-A-VERSION", "AUTHOR-OF-A-BOT", "PATH-OF-A-BOT", "HOST-OF-THE-RUN")

OWN = {"reason", "history"}


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Return a home with a bot that was submitted, one that was not, and a match of a person."""
    home = create_home(tmp_path_factory.mktemp("PATH-OF-A-BOT") / "home")
    program = home.path.parent / "alpha.py"
    program.write_text("#!/usr/bin/env python3\n")
    alpha = take_in(home.roster, program)
    manifest = msgspec.structs.replace(alpha.manifest, author="AUTHOR-OF-A-BOT", description="It thinks.")
    home.roster.rewrite(msgspec.structs.replace(alpha, note="NOTE-ON-A-VERSION", manifest=manifest))
    notes = [Note(0, "NOTE-ON-A-MOVE")]
    blocks = [
        a_lone_match(
            *(number, a_fault(number, version=alpha.version, **SAID)),
            seats=[a_seat("alpha", 1, notes=notes, version=alpha.version), a_seat("beta", 2)],
            deal_seed=DEAL_SEED,
            deal={"cards": ["DEAL"]},
        )
        for number in range(7)
    ]
    settings = RunSettings(asked=RunCommand(seed=SEED), limits={"move_ms": 1000, "bank_ms": 1000})
    stored(home.results, *blocks, secret=SECRET, settings=settings, host="HOST-OF-THE-RUN")
    seats = [a_seat("person", version="human", **NUMBERS), a_seat("beta", 2)]
    stored(make_unrated(home.results).folder.root, a_lone_match(0, seats=seats))
    return home


@pytest.fixture(scope="module")
def client(home):
    folders = InboxFolders(*(home.path.parent / name for name in ("inbox", "outbox", "done")))
    with TestClient(create_app(home, uploads=folders), base_url="http://127.0.0.1:8000") as client:
        yield SimpleNamespace(get=lambda address, **more: client.get(f"/api/v1/{address}", **more))


def check(value, kind, described):
    schema = described["components"]["schemas"][kind] if isinstance(kind, str) else kind
    Draft202012Validator({"components": described["components"], **schema}).validate(value)


def rows(home, *command):
    answer = run_here(*command, "--home", home.path, "--format", "json")
    assert 0 == answer.code, answer.err
    return json.loads(answer.out)


def told_of(whole, told):
    """Return what *whole*, an answer of a command, has of the fields of *told*; hashes are cut.

    The reason of a fault quotes the bot, so that the public is told another; a history is that of the page.
    """
    if isinstance(told, list):
        return [told_of(one, other) for one, other in zip(whole, told, strict=True)]
    if not isinstance(told, dict):
        return whole[:8] if isinstance(told, str) and re.fullmatch("[0-9a-f]{12}", str(whole)) else whole
    return {key: of if key in OWN else told_of(whole[key], of) for key, of in told.items()}


def test_openapi_json_is_what_the_routes_say():
    assert describe(ROUTES) == OPENAPI.read_text("utf-8"), "run: python -m ladder.web.door.api"
    for schema in json.loads(OPENAPI.read_bytes())["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


def test_every_route_answers_what_it_promises(client):
    described = client.get("openapi.json").json()
    assert ASKED.keys() == {route.path for route in RESULTS}
    for path, addresses in ASKED.items():
        promised = described["paths"][f"/{path}"]["get"]["responses"]["2XX"]["content"]
        for address in addresses:
            answer = client.get(address)
            assert (200, "application/json") == (answer.status_code, answer.headers["content-type"])
            check(answer.json(), promised["application/json"]["schema"], described)
            tag = answer.headers["etag"]
            assert 304 == client.get(address, headers={"if-none-match": tag}).status_code


def test_answers_are_what_the_commands_print(client, home):
    commands = {
        "leaderboard/stellar": ("leaderboard", "--game", "stellar"),
        "bots": ("bots",),
        "bots/alpha": ("bots", "alpha"),
        "matches": ("matches",),
        "matches/1/3": ("replay", "1/3"),
    }
    for address, command in commands.items():
        told, printed = client.get(address).json(), rows(home, *command)
        printed = printed[::-1] if address == "matches" else printed
        assert told_of(printed, told) == told


def test_a_bot_on_another_machine_has_a_mark_wherever_it_is_told(tmp_path):
    home = create_home(tmp_path / "home")
    (tmp_path / "away").mkdir()
    (tmp_path / "away/bot.toml").write_text('name = "away"\nremote = true\n')
    version = take_in(home.roster, tmp_path / "away")
    blocks = [a_lone_match(0, seats=[a_seat("away", 1, version=version.version), a_seat("beta", 2)])]
    away = {"name": "away", "version": version.version, "remote": True}
    stored(home.results, *blocks, bots=[away, {"name": "beta", "version": "beta-1"}])
    folders = InboxFolders(*(tmp_path / name for name in ("inbox", "outbox", "done")))
    with TestClient(create_app(home, uploads=folders), base_url="http://127.0.0.1:8000") as client:
        board, bots = (client.get(f"/api/v1/{path}").json() for path in ("leaderboard/stellar", "bots"))
        assert client.get("/api/v1/bots/away").json()["remote"]
    assert {"away": True, "beta": None} == {row["bot"]: row.get("remote") for row in board}
    assert [True] == [row["remote"] for row in bots]


def test_no_answer_holds_what_pages_hide(client, home):
    answers = [client.get(address).text for addresses in ASKED.values() for address in addresses]
    everything = "".join(answers)
    version = home.roster.find("alpha").version
    times = [*map(str, (123_457, 123_458, 123_459, 123_461))]
    for secret in (SECRET, str(SEED), DEAL_SEED, "DEAL", version, *SAID.values(), *MARKS, *times):
        assert secret not in everything, secret
    assert version[:8] in everything
    assert [100, 250, 70] == client.get("matches/d1/0").json()["seats"][1]["think_us"], "that of a bot"


@pytest.mark.parametrize(
    ("address", "status", "words"),
    [
        ("leaderboard/chess", 404, "there is no leaderboard of 'chess'"),
        ("bots/nobody", 404, "there is no bot 'nobody'"),
        ("matches/1/99", 404, "there is no match '1/99'"),
        ("matches/d9/0", 404, "there is no duel, no tournament and no unrated run 'd9'"),
        ("matches/1/last", 404, "there is no match '1/last'"),
        ("matches/\u0661/0", 404, "there is no match '\u0661/0'"),
        (f"matches/1/{'9' * 5000}", 404, "there is no match"),
        ("matches?limit=0", 400, "`$.limit`"),
        ("matches?limit=1001", 400, "`$.limit`"),
        ("matches?limit=many", 400, "`$.limit`"),
        ("matches?after=last", 400, "`$.after`"),
        ("matches?before=1/0", 400, "unknown field `before`"),
        ("bots/", 404, "there is nothing at this address"),
        ("nothing", 404, "there is nothing at this address"),
    ],
)
def test_a_wrong_request_gets_a_problem_document(client, address, status, words):
    answer = client.get(address)
    assert (status, "application/problem+json") == (answer.status_code, answer.headers["content-type"])
    problem = answer.json()
    check(problem, "ProblemDocument", json.loads(OPENAPI.read_bytes()))
    assert status == problem["status"]
    assert words in problem["detail"]
    assert problem["hint"]
    assert "ladder " not in problem["hint"], "it has no shell"


def test_matches_are_read_page_by_page(client):
    found, after = [], "0/0"
    while page := client.get("matches", params={"after": after, "limit": 3}).json():
        found.append([row["match"] for row in page])
        after = found[-1][-1]
    assert [["1/0", "1/1", "1/2"], ["1/3", "1/4", "1/5"], ["1/6"]] == found


def test_without_uploads_there_is_none_of_this(home):
    with TestClient(create_app(home), base_url="http://127.0.0.1:8000") as client:
        for addresses in ASKED.values():
            answer = client.get(f"/api/v1/{addresses[0]}")
            assert (404, True) == (answer.status_code, "That did not work" in answer.text)
