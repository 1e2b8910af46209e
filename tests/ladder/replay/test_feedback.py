"""What the author of a bot may see of its matches: all that its seats saw, and nothing else."""

import json
import re
from functools import partial

import msgspec
import pytest
from markdown_it import MarkdownIt
from support import ladders
from support.records import a_fault, a_match, a_run, a_seat
from support.sites import Elements

from ladder.home.machine_paths import hide_paths
from ladder.replay.bot_identity import identity
from ladder.replay.feedback import feedback
from ladder.replay.replay import record_of
from ladder.replay.seat import narrate_seat
from results.rating.cache import ratings_current
from results.record import Block, Note, encode_block
from results.reports.bot_facts import BotReader
from results.reports.values_as_text import escape
from results.storage.store import Store

OURS, THEIRS = "a thought of ours", "a thought of theirs"


def facts_of(home, name):
    store, version = Store(home.results), home.roster.find(name)
    key = (version.bot, version.version)
    reader = BotReader(store.contents(), ratings_current(store), {key})
    versions = home.roster.versions_of(version.bot)
    return reader, reader.facts(key, [(each.bot, each.version) for each in versions])


def text_of(home, name, **hidden):
    reader, facts = facts_of(home, name)
    versions = home.roster.versions_of(name)
    version = home.roster.find(name)
    known = identity(version, {})
    return feedback(
        reader.contents, facts, versions, home.roster.numbers(), known, partial(hide_paths, hidden)
    )


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Return a home in which two bots and one that cheats have played."""
    bots = {
        "ours": {"style": "first", "note": OURS},
        "theirs": {"note": THEIRS},
        "cheat": {"sin": "cheat", "one_in": 3},
    }
    home = ladders.a_home(tmp_path_factory.mktemp("feedback") / "home", bots)
    ladders.play(home, matches=24, seed=987_654_321)
    return home


def blocks_of(text):
    """Return the content of each fenced block of *text*."""
    return [token.content for token in MarkdownIt().parse(text) if token.type == "fence"]


def test_the_worst_losses_are_told_as_the_seat_of_the_bot_saw_them(home):
    reader, facts = facts_of(home, "ours")
    (game,) = facts.games
    assert game.losses
    replays = []
    for loss in game.losses:
        record = record_of(reader.contents, f"{loss.match[0]}/{loss.match[1]}")
        assert "ours" == record["seats"][loss.seat]["bot"]
        told = "\n".join(narrate_seat(record, loss.seat, home.roster.numbers()))
        replays.append("\n".join(map(escape, told.split("\n"))) + "\n")
    assert replays == blocks_of(text_of(home, "ours"))


def test_no_secret_of_the_run_and_no_thought_of_another_bot_is_in_it(home):
    contents = Store(home.results).contents()
    (run,) = contents.runs
    hidden = {run.secret, str(home.path), "987654321", "987_654_321", THEIRS, run.host}
    for match in contents.matches().to_pylist():
        hidden |= {match["deal_seed"], match["deal_digest"], *(seat["name"] for seat in match["seats"])}
    requests = [json.loads(fault["request"]) for fault in contents.faults().to_pylist()]
    hidden |= {str(each["seed"]) for each in requests}
    assert requests
    for name in ("ours", "cheat"):
        text = text_of(home, name)
        assert set() == {secret for secret in hidden if secret in text}
    assert OURS in text_of(home, "ours")
    assert OURS not in text_of(home, "cheat")


def test_faults_are_counted_with_advice_and_shown_without_their_request(home):
    _, facts = facts_of(home, "cheat")
    text = text_of(home, "cheat")
    charged = facts.faults.charged["illegal"]
    assert re.search(rf"\| `illegal` +\| +{charged} \| a well-formed answer .*\| play an option", text)
    newest = facts.faults.newest[0]
    assert (
        f"match {newest['run']}/{newest['number']}, seat {newest['seat']}\n  why       expected one" in text
    )
    assert '"move":"cheat"' in text
    assert '"type":"act"' not in text
    assert "ladder replay" not in text
    assert "ladder bots ask" not in text


def test_a_bot_without_a_fault_or_a_match_is_told_so(tmp_path, home):
    assert "## Faults\n\nNone.\n" in text_of(home, "ours")
    new = ladders.a_home(tmp_path / "home", {"new": {}})
    assert text_of(new, "new").startswith("<!-- ladder bots feedback -->\n\n# `new@1`\n\n- games: ")
    assert "It has not played yet." in text_of(new, "new")


# -- what bots wrote

HOSTILE = (
    "</code></pre><script>alert(1)</script>\n```\n# Heading\n[x](javascript:y) ![i](//e.x/p)\n\x1b[31m\u202e`"
)


def a_hostile_home(path, **fault):
    """Make a home in which a bot with a hostile log lost two matches to one with a hostile name."""
    home = ladders.a_home(path, {"mine": {}})
    version = home.roster.find("mine")
    home.roster.rewrite(msgspec.structs.replace(version, note=HOSTILE))
    store = Store(home.results)
    with store.lock():
        store.begin(a_run())
        for number in range(2):
            mine = a_seat("mine", 2, version=version.version, notes=[Note(0, HOSTILE)])
            match = a_match(number, block=number, seats=[mine, a_seat(HOSTILE, 1)])
            told = {"bot": "mine", "version": version.version, "stderr": HOSTILE, "reason": HOSTILE} | fault
            store.append(number, encode_block(Block(number, [match], [a_fault(number, **told)])))
        store.finish(1, 2)
    return home


def test_what_bots_wrote_is_text_and_never_markup(tmp_path):
    text = text_of(a_hostile_home(tmp_path / "home"), "mine")
    assert "alert(1)" in text
    assert not {"\x1b", "\u202e"} & set(text)
    renderer = MarkdownIt("commonmark", {"html": True}).enable("table")
    page = renderer.render(text)
    tags = {tag for tag, _ in Elements(page).found}
    assert {
        "h1",
        "h2",
        "h3",
        "p",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "ul",
        "li",
        "code",
        "pre",
    } >= tags
    assert "Heading" not in "".join(re.findall(r"<h\d>.*?</h\d>", page, re.DOTALL))


def test_a_match_that_this_ladder_deals_otherwise_is_named_without_a_replay(tmp_path):
    text = text_of(a_hostile_home(tmp_path / "home"), "mine")
    assert (
        "### `stellar`: match 1/1, seat 0, place 2, 1 point behind the winner\n\nIt cannot be shown: `"
        in text
    )


def test_paths_of_this_machine_are_hidden_in_what_a_bot_wrote(tmp_path):
    trace = 'File "/srv/home/bots/mine/files/bot.py", line 3; /srv/home/x, /srv/homes'
    home = a_hostile_home(tmp_path / "home", stderr=trace, reason="/srv/home")
    text = text_of(home, "mine", **{"/srv/home/bots/mine/files/": "", "/srv/home": "(home)"})
    assert 'File "bot.py", line 3; (home)/x, /srv/homes\n' in text
    assert "why       (home)\n" in text
