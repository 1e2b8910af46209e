"""The Python client, through real pipes."""

import json
import os
import random
import socket
import subprocess
import sys
from textwrap import dedent

import pytest
from support.commands import process_group
from support.places import ROOT

from protocol import encode
from protocol.messages import Limits

pytestmark = pytest.mark.process

ENVIRONMENT = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
MATCH, OTHER = "9f3c0a17e2b84d55", "00000000000000aa"
HELLO = encode.hello("0.1.0", "river-rat", ["stellar"], {"depth": 3}, Limits())
READY = b'{"type":"ready","protocol":1}\n'
FIRST = "lambda act: act.choice.options[0]"


def start(match=MATCH, seat=1):
    return encode.start(match, "stellar", 1, seat, 2, {"face_down_number": "three"})


def act(id_, match=MATCH, choice=None, view=b'{"seat":1}'):
    options = choice or {"kind": "one", "options": ["take 1", "take 2"]}
    events = [b'{"event":"take","seat":0}']
    return encode.Acts(match, 81723, 1000).write(id_, 7, json.dumps(options).encode(), 9120, events, view)


def end(match=MATCH):
    return encode.end(match, [1, 2], [5, 4], [None, None], [])


def serving(bot, setup="", options=""):
    """Return the command of a program that serves the expression *bot*."""
    program = f"import sys, protocol.client\nfrom protocol.client import Move\n{dedent(setup)}\n"
    return [sys.executable, "-c", f"{program}protocol.client.serve({bot}, {options})"]


def played(command, *lines):
    """Run *command* on *lines*, then the end of stdin."""
    return subprocess.run(
        command, input=b"".join(lines), capture_output=True, env=ENVIRONMENT, check=False, cwd="/"
    )


def answers(bot, *lines, setup=""):
    """Return what the expression *bot* answers to *lines*, after hello and start."""
    done = played(serving(bot, setup), HELLO, start(), *lines, encode.BYE)
    assert (b"", 0) == (done.stderr, done.returncode)
    return [json.loads(line) for line in done.stdout.splitlines()[1:]]


def test_a_function_is_a_bot():
    done = played(serving(FIRST), HELLO, start(), act("a1"), end(), encode.BYE)
    assert (READY + b'{"id":"a1","move":"take 1"}\n', b"", 0) == (done.stdout, done.stderr, done.returncode)


@pytest.mark.parametrize("bot", ["Bot", "Bot()"])
def test_a_class_with_hooks_is_a_bot_and_so_is_an_object(bot):
    setup = """
    class Bot:
        def __init__(self): self.seen = []
        def hello(self, hello): self.seen.append((hello.bot, hello.config, hello.limits["move_ms"]))
        def start(self, start): self.seen.append((start.match, start.game, start.seat, start.options))
        def end(self, end): print((*self.seen, end.ranks, end.scores))
        def act(self, act): return act.choice.options[-1]
    """
    done = played(serving(bot, setup), HELLO, start(), act("a1"), end(), encode.BYE)
    expected = (
        ("river-rat", {"depth": 3}, 1000),
        (MATCH, "stellar", 1, {"face_down_number": "three"}),
        [1, 2],
        [5, 4],
    )
    assert READY + b'{"id":"a1","move":"take 2"}\n' == done.stdout
    assert f"{expected}\n" == done.stderr.decode()


SOME = act("a1", choice={"kind": "some", "options": ["a", "b", "c"], "low": 1, "high": 3})
AGAIN = act("a1").replace(b"}\n", b',"retry":{"reason":"no","left":2}}\n')


@pytest.mark.parametrize(
    ("asked", "expression", "expected"),
    [
        (act("a1"), "act.id", "a1"),
        (act("a1"), "act.match", MATCH),
        (act("a1"), "act.step", 7),
        (act("a1"), "act.seed", 81723),
        (act("a1"), "act.choice.kind", "one"),
        (act("a1"), "act.choice.options", ["take 1", "take 2"]),
        (act("a1"), "[act.choice.low, act.choice.high]", [1, 1]),
        (SOME, "[act.choice.kind, act.choice.low, act.choice.high]", ["some", 1, 3]),
        (act("a1"), "[act.clock.move_ms, act.clock.bank_ms]", [1000, 9120]),
        (act("a1"), "act.events", [{"event": "take", "seat": 0}]),
        (act("a1"), "act.view", {"seat": 1}),
        (act("a1", view=None), "act.view", None),
        (act("a1"), "act.retry", None),
        (AGAIN, "[act.retry.reason, act.retry.left]", ["no", 2]),
        (act("a1"), "[act.game, act.seat, act.seats]", ["stellar", 1, 2]),
        (act("a1"), "act.options", {"face_down_number": "three"}),
        (act("a1"), "act.rng.random()", random.Random("81723/7").random()),
        (act("a1"), "act.rng is act.rng", True),
        (act("a1"), "hasattr(act, 'nothing')", False),
    ],
)
def test_an_act_tells(asked, expression, expected):
    assert [{"id": "a1", "move": expected}] == answers(f"lambda act: {expression}", asked)


@pytest.mark.parametrize(
    ("asked", "chosen", "expected"),
    [
        (act("a1"), "('take 1', 'why')", {"move": "take 1", "note": "why"}),
        (act("a1"), "Move('take 1')", {"move": "take 1"}),
        (
            act("a1"),
            "act.fail('transport', 'no\\nanswer' + 300 * '!', 1.5)",
            {"fail": "transport", "why": "no answer" + 191 * "!", "after_ms": 1500},
        ),
        (
            act("a1"),
            "act.fail('unreadable', usage={'requests': 1})",
            {"fail": "unreadable", "why": "", "after_ms": 0, "usage": {"requests": 1}},
        ),
        (act("a1"), "Move('take 1', note='why')", {"move": "take 1", "note": "why"}),
        (
            act("a1"),
            "Move('take 1', usage={'cost_usd': 0.5}, fallback=True)",
            {"move": "take 1", "usage": {"cost_usd": 0.5, "fallbacks": 1}},
        ),
        (act("a1"), "Move('take 1', fallback=True)", {"move": "take 1", "usage": {"fallbacks": 1}}),
        (
            act("a1"),
            "Move('take 1', usage={'cost_usd': 0.5})",
            {"move": "take 1", "usage": {"cost_usd": 0.5}},
        ),
        (act("a1"), "('take 1', 'x' * 1001)", {"move": "take 1", "note": "x" * 1000}),
        (act("a1"), "('take 1', None)", {"move": "take 1"}),
        # a pair of options is a move where some are asked for
        (SOME, "['a', 'b']", {"move": ["a", "b"]}),
        (SOME, "('a', 'b')", {"move": ["a", "b"]}),
        (SOME, "('a', 'b', 'c')", {"move": ["a", "b", "c"]}),
        (SOME, "(['a', 'b'], 'why')", {"move": ["a", "b"], "note": "why"}),
        (SOME, "(('a', 'b'), 'why')", {"move": ["a", "b"], "note": "why"}),
    ],
)
def test_a_bot_may_say_more_than_its_move(asked, chosen, expected):
    assert [{"id": "a1", **expected}] == answers(f"lambda act: {chosen}", asked)


def test_ready_says_what_serve_was_told():
    told = "parallel=16, view='none', text=True, rules=True, name='R'"
    done = played(serving(FIRST, options=told), HELLO, encode.BYE)
    expected = {"type": "ready", "protocol": 1, "name": "R", "parallel": 16, "view": "none"}
    assert expected | {"text": True, "rules": True} == json.loads(done.stdout)


def test_a_bot_reads_the_rules_in_start_if_it_asked_for_them():
    rules = "lambda act: act.start.rules or 'none'"
    asked = start().replace(b'"type":"start",', b'"type":"start","rules":"Two seats.",')
    assert [{"id": "a1", "move": "Two seats."}] == answers(rules, asked, act("a1"))
    assert [{"id": "a1", "move": "none"}] == answers(rules, act("a1"))


@pytest.mark.parametrize(
    ("noise", "before"),
    [
        ("print('thinking')", ""),
        ("sys.__stdout__.write('thinking\\n')", ""),
        ("__import__('os').write(1, b'thinking\\n')", ""),
        ("__import__('subprocess').run(['echo', 'thinking'])", ""),
        ("0", "print('thinking')"),
    ],
)
def test_what_a_bot_prints_goes_to_its_log(noise, before):
    command = serving(f"lambda act: ({noise}, 'take 1')[1]", before)
    done = played(command, HELLO, start(), act("a1"), encode.BYE)
    assert (READY + b'{"id":"a1","move":"take 1"}\n', b"thinking\n") == (done.stdout, done.stderr)


COUNTED = """
import os, time
time.monotonic = iter(range(10**6)).__next__ if {slow} else lambda: 0.0
write = os.write
os.write = lambda fd, data: (print(data.count(b"\\n"), file=sys.stderr), write(fd, data))[1]
"""


def test_lines_that_arrive_together_are_answered_in_one_write():
    lines = [HELLO, start(), start(OTHER), *(act(f"a{k}", MATCH if k % 2 else OTHER) for k in range(8))]
    done = played(serving(FIRST, COUNTED.format(slow=False), "parallel=2"), *lines)
    assert b"9\n" == done.stderr
    assert [f"a{k}" for k in range(8)] == [json.loads(line)["id"] for line in done.stdout.splitlines()[1:]]


def test_a_bot_that_thinks_long_lets_no_answer_wait():
    done = played(
        serving(FIRST, COUNTED.format(slow=True), "parallel=2"), HELLO, start(), act("a1"), act("a2")
    )
    assert b"2\n1\n" == done.stderr


def test_matches_in_progress_are_kept_apart():
    lines = [start(OTHER, seat=0), act("a1"), act("b1", OTHER), end(OTHER), act("a2")]
    assert [["a1", 1], ["b1", 0], ["a2", 1]] == [
        [answer["id"], answer["move"]] for answer in answers("lambda act: act.seat", *lines)
    ]


MANY = """
class Many:
    def act_many(self, acts):
        print(*(act.id for act in acts))
        return [({"a1": "take 1"}.get(act.id, act.seat), "why") for act in acts]
    def end(self, end): print("end", end.match[:2])
"""


@pytest.mark.parametrize(
    ("lines", "calls"),
    [
        ([act("a1"), encode.BYE], ["a1"]),
        ([act("a1"), start(OTHER, seat=0), act("b1", OTHER)], ["a1 b1"]),
        # another seat ended the match while this one was asked; a match that is not asked ends
        ([act("a1"), start(OTHER, seat=0), act("b1", OTHER), end(OTHER)], ["a1 b1", "end 00"]),
        ([start(OTHER, seat=0), act("a1"), end(OTHER), act("a2")], ["end 00", "a1 a2"]),
    ],
)
def test_all_decisions_that_have_arrived_go_to_one_call_of_act_many(lines, calls):
    done = played(serving("Many", COUNTED.format(slow=True) + MANY, "parallel=2"), HELLO, start(), *lines)
    asked = [word for call in calls for word in call.split() if word[0] in "ab"]
    moves = {"a1": "take 1", "a2": 1, "b1": 0}
    assert [{"id": id_, "move": moves[id_], "note": "why"} for id_ in asked] == [
        json.loads(line) for line in done.stdout.splitlines()[1:]
    ]
    assert [*calls, f"{1 + len(asked)}"] == done.stderr.decode().splitlines(), "one write for all"


def test_decisions_that_arrive_later_are_not_waited_for():
    answer = b'{"id":"a1","move":"take 1","note":"why"}\n'
    with process_group(
        serving("Many", MANY), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENVIRONMENT
    ) as bot:
        for lines, answered in ((HELLO, READY), (start() + act("a1"), answer)):
            bot.stdin.write(lines)  # type: ignore[union-attr]
            bot.stdin.flush()  # type: ignore[union-attr]
            assert answered == bot.stdout.readline()  # type: ignore[union-attr]


@pytest.mark.parametrize("count", [0, 1, 3])
def test_another_number_of_moves_than_of_decisions_is_an_error_of_the_bot(count):
    setup = f"class Many:\n    def act_many(self, acts): return {count} * ['take 1']"
    done = played(serving("Many", setup), HELLO, start(), act("a1"), act("a2"))
    assert (READY, 1) == (done.stdout, done.returncode)
    assert done.stderr.endswith(f"act_many returned {count} moves for 2 decisions\n".encode())


def test_messages_and_fields_that_are_not_known_are_ignored():
    news = b'{"type":"weather","sun":true}\n'
    more = act("a1").replace(b'"step"', b'"moon":[1],"step"')
    assert [{"id": "a1", "move": "take 1"}] == answers(FIRST, news, more)


def test_a_request_may_come_in_pieces_and_be_longer_than_a_read():
    view = json.dumps({"text": "é" * 100_000}).encode()
    assert [{"id": "a1", "move": 100_000}] == answers(
        "lambda act: len(act.view['text'])", act("a1", view=view)
    )


def test_a_bot_ends_on_bye_while_stdin_is_open():
    with process_group(
        serving(FIRST), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENVIRONMENT
    ) as process:
        assert process.stdin is not None
        process.stdin.write(HELLO + encode.BYE)
        process.stdin.flush()
        assert 0 == process.wait(30)


@pytest.mark.parametrize("lines", [[], [HELLO], [HELLO, b'{"type":"act","id']])
def test_a_bot_ends_when_stdin_does(lines):
    done = played(serving(FIRST), *lines)
    assert (b"", 0) == (done.stderr, done.returncode)


def test_a_bot_ends_when_nobody_listens():
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        serving(FIRST), input=HELLO, stdout=writing, stderr=subprocess.PIPE, env=ENVIRONMENT, check=False
    )
    os.close(writing)
    assert (b"", 0) == (done.stderr, done.returncode)


def test_an_exception_is_a_traceback_in_the_log_and_status_1():
    done = played(serving("lambda act: act.choice.options[9]"), HELLO, start(), act("a1"))
    assert (READY, 1) == (done.stdout, done.returncode)
    assert done.stderr.startswith(b"Traceback")
    assert done.stderr.endswith(b"IndexError: list index out of range\n")


def test_answers_given_before_an_exception_are_sent():
    done = played(serving("lambda act: {'a1': 'take 1'}[act.id]"), HELLO, start(), act("a1"), act("a2"))
    assert (READY + b'{"id":"a1","move":"take 1"}\n', 1) == (done.stdout, done.returncode)


LOADED = "lambda act: [name in sys.modules for name in ('json', 'msgspec')]"


def test_a_faster_json_library_is_loaded_when_it_pays_and_changes_no_answer():
    lines = [*(act("a1") for _ in range(1000)), end(), start(), act("a2")]
    first, *_, last = answers(LOADED, *lines)
    assert ([True, False], [True, True]) == (first["move"], last["move"])


def test_the_standard_library_is_enough():
    command = serving(LOADED)
    command.insert(1, "-S")  # no site-packages
    done = played(
        command, HELLO, start(), *(act("a1") for _ in range(1000)), end(), start(), act("a2"), encode.BYE
    )
    assert (b"", 0) == (done.stderr, done.returncode)
    assert b'{"id":"a2","move":[true,false]}' == done.stdout.splitlines()[-1]


def test_importing_the_client_loads_next_to_nothing():
    program = "import sys; old = {*sys.modules}; import protocol.client; print(*{*sys.modules} - old)"
    done = played([sys.executable, "-S", "-c", program])
    heavy = {"json", "random", "re", "typing", "dataclasses", "enum", "inspect", "collections", "asyncio"}
    assert set() == (heavy | {"msgspec"}) & set(done.stdout.decode().split())


# -- a bot that connects


def test_a_bot_that_is_told_an_address_plays_there_and_keeps_stdin_and_stdout():
    setup = """
    import os
    def choose(act):
        print(input(), os.environ.get("LADDER_CONNECT"))
        return act.choice.options[0]
    """
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}/secret"
        with process_group(
            serving("choose", setup),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=ENVIRONMENT | {"LADDER_CONNECT": address},
        ) as bot:
            server.settimeout(60)
            connection, _ = server.accept()
            connection.settimeout(60)
            with connection, connection.makefile("rb") as lines:
                assert b"secret\n" == lines.readline()
                connection.sendall(HELLO)
                assert READY == lines.readline()
                connection.sendall(start() + act("a1"))
                bot.stdin.write(b"typed\n")  # type: ignore[union-attr]
                bot.stdin.flush()  # type: ignore[union-attr]
                assert b'{"id":"a1","move":"take 1"}\n' == lines.readline()
                connection.sendall(end() + encode.BYE)
                assert b"" == lines.readline()
            assert b"typed None\n" == bot.stdout.read()  # type: ignore[union-attr]
            assert 0 == bot.wait(60)


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("here", "LADDER_CONNECT is not HOST:PORT/TOKEN, got: 'here'"),
        ("127.0.0.1:x/token", "LADDER_CONNECT is not HOST:PORT/TOKEN"),
        ("127.0.0.1:80", "LADDER_CONNECT is not HOST:PORT/TOKEN"),
        ("127.0.0.1:99999/token", "no match waits at 127.0.0.1:99999"),
        ("127.0.0.1:1/token", "begin one: ladder play GAME BOT --connect SEAT"),
    ],
)
def test_an_address_where_no_match_waits_ends_the_bot_with_what_to_do(address, why):
    environment = ENVIRONMENT | {"LADDER_CONNECT": address}
    done = subprocess.run(serving(FIRST), capture_output=True, text=True, env=environment, check=False)
    assert (1, "") == (done.returncode, done.stdout)
    assert why in done.stderr
    assert "Traceback" not in done.stderr
