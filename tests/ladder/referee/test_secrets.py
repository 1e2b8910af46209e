"""What a bot cannot know: which deal it plays, against whom, and whether it has met that deal before."""

import json
import re
import shutil
from collections import defaultdict
from functools import partial
from pathlib import Path

import pytest
from support import ladders
from support.places import BAD_BOTS
from support.scripts import Manners, play_blocks, say, stage
from support.seating import SECRET, bot, facts, good, hall, lines_of
from support.taken_in import take_in

from ladder.contest.keys import Keys
from ladder.registry.bot_manifest import BotManifest
from ladder.registry.version import Version
from ladder.worker.lanes import Lanes

KEYS = Keys(SECRET)
linux = pytest.mark.skipif(not Path("/proc/self").exists(), reason="surroundings are told by /proc")


# --- surroundings


def settled(program, name, folder, **manifest):
    """Return a bot with a folder of its own."""
    folder.mkdir(parents=True)
    for file in ("manners.py", f"{program}.py"):
        shutil.copy2(BAD_BOTS / file, folder)
    return Version(name, name, str(folder), bot(program, name, **manifest).manifest)


def told(matches, name):
    """Return what the bot *name* found around itself, match by match."""
    of_bot = [seat for match in matches for seat in match.seats if seat.bot == name]
    return [of_any_user("".join(note.text for note in seat.notes)) for seat in of_bot]


def _as_root(value, user):
    """Return *value* with 0 in place of the number *user*, by itself or among words."""
    match value:
        case dict():
            return {name: _as_root(item, user) for name, item in value.items()}
        case list():
            return [_as_root(item, user) for item in value]
        case str():
            return re.sub(rf"(?<!\d){user}(?!\d)", "0", value)
        case int() if value == user:
            return 0
    return value


def of_any_user(found):
    """Return what was *found*, whoever the user was, and whichever number and name its mounts have.

    Root gives every confined process a user of its own, and bubblewrap a set of mounts: their numbers follow
    from the order of starts alone.  For files without a place on the disk bubblewrap draws names at random.
    """
    user = json.loads(found)["users"][0][0]
    told = _as_root(json.loads(found), user) if user >= 60_000 else json.loads(found)
    number = r"^\d+ \d+ \d+:\d+ (/bindfile\w{6}//deleted)?"
    mounts = re.sub(number, "", told["mounts"] or "", flags=re.MULTILINE)
    return {**told, "mounts": mounts}


def differing(found):
    """Return the keys whose values are not the same in all of *found*."""
    return [key for key in found[0] if any(other[key] != found[0][key] for other in found)]


def anonymous(found, version):
    """Return *found* without what names the bot itself: its name, its folder, the dates of its files."""
    for file in found["files"].values():
        del file["dates"]
    return json.loads(json.dumps(found).replace(version.folder, "FOLDER").replace(version.bot, "NAME"))


@linux
@pytest.mark.process
@pytest.mark.parametrize("restart", ["never", "match"])
def test_a_bot_finds_the_same_around_itself_in_every_seat_lane_and_match(tmp_path, tier, restart):
    one = settled("tells_all", "first-bot", tmp_path / "first", restart=restart)
    two = settled("tells_all", "other-bot", tmp_path / "other", restart=restart)
    with hall(one, two, tier=tier) as play:
        matches = play.matches(0, 1, 2)
    ones, twos = told(matches, one.bot), told(matches, two.bot)
    assert (6, 6) == (len(ones), len(twos))
    assert ([], []) == (differing(ones), differing(twos)), "the same bot finds the same"
    assert [] == differing([anonymous(ones[0], one), anonymous(twos[0], two)]), "and so do two"


@linux
@pytest.mark.process
def test_a_bot_finds_the_same_around_itself_whoever_plays_and_if_a_match_is_played_again(tmp_path, tier):
    teller = settled("tells_all", "teller", tmp_path / "teller")
    found = []
    for program in ("manners", "plays_illegally_in_some", "exits_after_the_end"):
        rival = settled(program, program, tmp_path / program)
        with hall(teller, rival, tier=tier) as play:
            blocks = play.record(0, 1)
        matches = [match for block in blocks for match in block.matches]
        assert (program == "manners") != any(block.faults for block in blocks)
        whole = [match for match in matches if not any(seat.fault for seat in match.seats)]
        found += told(whole, "teller")
    assert len(found) > 6
    assert {"status"} >= set(differing(found)), "another runner has another process id"
    assert [] == differing([{**one, "status": without_parent(one["status"])} for one in found])


def without_parent(status):
    return [line for line in status if not line.startswith("PPid")]


# --- messages

NUMBER = 424_242
"""A block whose number, and those of its matches, no message has by chance."""
MINE, RIVALS = "f0f1f2f3f4f5", "0e1d2c3b4a59"
"""Versions."""
NUMBERS = {"seed", "match", "id", "limits", "clock", "config"}
"""The fields that may have large ones."""


def recorder(name, version, folder):
    folder.mkdir(parents=True)
    manifest = good(name, config={"record": str(folder)}).manifest
    return Version(name, version, str(BAD_BOTS), manifest)


def recorded(folder, rival="rival", version=RIVALS):
    """Play a block; return it, and what its two bots heard, process by process."""
    bots = recorder("mine", MINE, folder / "mine"), recorder(rival, version, folder / rival)
    (block,) = play_blocks(*bots, numbers=(NUMBER,))
    return block, lines_of(folder / "mine"), lines_of(folder / rival)


def text(processes):
    return "\n".join(line for lines in processes for line in lines)


def of_kind(processes, key):
    return {json.loads(line).get(key) for lines in processes for line in lines} - {None}


def test_no_message_tells_secret_deal_number_or_opponent(tmp_path):
    block, mine, rivals = recorded(tmp_path)
    first = block.matches[0]
    hidden = [SECRET.hex(), first.deal_seed, str(int(first.deal_seed, 16)), first.deal_digest]
    hidden += [str(NUMBER), *(str(match.number) for match in block.matches)]
    conversations = {"rival": text(mine), "mine": text(rivals)}
    for opponent, heard in conversations.items():
        assert heard.count('"type":"end"') == 2
        secrets = [*hidden, opponent, MINE, RIVALS]
        assert [] == [secret for secret in secrets if secret in heard]


def test_each_seat_has_names_ids_and_seeds_of_its_own(tmp_path):
    _, mine, rivals = recorded(tmp_path)
    for key in ("match", "id", "seed"):
        assert of_kind(mine, key), "something was heard"
        assert of_kind(mine, key).isdisjoint(of_kind(rivals, key)), key
    theirs = [str(value) for key in ("match", "id", "seed") for value in of_kind(rivals, key)]
    assert [] == [value for value in theirs if value in text(mine)]


def test_messages_tell_no_time(tmp_path):
    _, mine, rivals = recorded(tmp_path)
    heard = [json.loads(line) for lines in mine + rivals for line in lines]
    for message in heard:
        rest = {key: value for key, value in message.items() if key not in NUMBERS}
        assert not re.search(r"\d{5}|\d\.\d{3}", json.dumps(rest)), "a number like a time"
    assert {(30_000, 0)} == {tuple(m["clock"].values()) for m in heard if m["type"] == "act"}


def test_a_bot_hears_the_same_whatever_its_opponent_is_called(tmp_path):
    heard = []
    for name, version in (("rival", RIVALS), ("zorro", "a9a8a7a6a5a4")):
        _, mine, _ = recorded(tmp_path / name, name, version)
        heard.append(sorted(text([lines[1:]]) for lines in mine))
    assert 2 == len(heard[0])
    assert heard[0] == heard[1]


# --- memory


class Remembers(Manners):
    """Does what bad_bots/remembers.py does: plays otherwise when it meets a deal again, and notes it."""

    def __init__(self, now):
        super().__init__(now)
        self.matches = 0
        self.met: defaultdict[str, set[int]] = defaultdict(set)
        """What a deal is known by, with the matches, counted from 0, that it was met in."""
        self.playing: dict[str, tuple[int, list[str]]] = {}
        """By the name of a match: its number, and what is known of its deal."""

    def start(self, message):
        name = message["match"]
        self.playing[name] = self.matches, [name]
        self.met[name].add(self.matches)
        self.matches += 1
        return ()

    def act(self, act):
        match, marks = self.playing[act["match"]]
        rows = [json.dumps(event["row"]) for event in act["events"] if event["event"] == "deal"]
        if rows and len(marks) == 1:
            marks.append(rows[0])
            self.met[rows[0]].add(match)
        if any(self.met[mark] - {match} for mark in marks):
            yield say(self.answer({**act, "step": act["step"] + 1}, note="met again"))
        else:
            yield say(self.answer(act))


at_table = partial(stage, scripts={"remembers": Remembers})


def rememberer(name, parallel=1, **config):
    return bot("remembers", name, config={"ready": {"parallel": parallel}, **config})


def twin(name, parallel=1):
    """Return the bot that plays as `remembers` does, and remembers nothing."""
    return good(name, config={"ready": {"parallel": parallel}})


def recognised(blocks):
    """Return how many decisions were made with a memory of the deal."""
    seats = [seat for block in blocks for match in block.matches for seat in match.seats]
    return sum(note.text == "met again" for seat in seats for note in seat.notes)


@pytest.mark.parametrize(("in_progress", "processes"), [(1, 64), (4, 64), (4, 1)])
def test_who_remembers_every_deal_plays_as_who_remembers_none(in_progress, processes):
    asked = {"in_progress": in_progress, "processes": processes}
    with at_table(twin("a", 4), twin("b", 4), **asked) as play:
        expected = play.record(*range(6)) + play.record(6, 7)
    with at_table(rememberer("a", 4), rememberer("b", 4), **asked) as play:
        found = play.record(*range(6)) + play.record(6, 7)
    assert 0 == recognised(found)
    assert facts(expected) == facts(found)


SPOILERS = ["plays_illegally_in_some", "exits_in_some", "exits_after_the_end", "speaks_after_the_end"]
"""Because of these, matches are begun a second time."""


def with_a_spoiler(program, other):
    """Return what *other* played against a spoiler, and how many processes it took."""
    with at_table(bot(program), other, in_progress=8) as play:
        blocks = play.record(*range(4)) + play.record(4)
    return blocks, sum(player.bot == other for player in play.players)


@pytest.mark.parametrize("program", SPOILERS)
def test_who_remembers_gains_nothing_where_matches_are_played_again(program):
    expected, _ = with_a_spoiler(program, twin("b", 8))
    found, processes = with_a_spoiler(program, rememberer("b", 8))
    assert processes > 2, "expected more than one a lane, for matches that were begun a second time"
    assert 0 == recognised(found)
    assert facts([block.matches for block in expected]) == facts([block.matches for block in found])


@pytest.mark.parametrize(("kind", "matches"), [("adaptive", 80), ("round-robin", 40)])
@pytest.mark.slow
def test_who_remembers_plays_a_whole_run_as_who_remembers_none(tmp_path, kind, matches):
    """The third epoch, from match 64 on, is the first that an adaptive schedule steers."""
    found = []
    for program, jobs in (("manners", 1), ("remembers", 2)):
        home = ladders.a_home(tmp_path / program, {"plain": {}, "first": {"style": "first", "parallel": 4}})
        for name in ("abel", "cain"):
            settled(program, name, tmp_path / program / "sent" / name)
            manifest = BotManifest(
                name, ("{python}", "-S", f"{program}.py"), config={"ready": {"parallel": 4}}
            )
            take_in(home.roster, tmp_path / program / "sent" / name, manifest)
        ladders.play(home, jobs=jobs, matches=matches, schedule=kind)
        found.append(ladders.rows(home.path))
    assert matches == len(found[0])
    assert "met again" not in json.dumps(found[1])
    assert [nameless(row) for row in found[0]] == [nameless(row) for row in found[1]]


def nameless(row):
    """Return *row* without versions, which a program decides, and notes."""
    seats = [{key: seat[key] for key in seat.keys() - {"version", "notes"}} for seat in row["seats"]]
    return {**row, "seats": seats}


# --- and where a deal can be met twice, it is seen


def test_who_remembers_plays_otherwise_where_both_rotations_are_played_in_one_lane(monkeypatch):
    with at_table(twin("a"), twin("b")) as play:
        expected = play.record(0, 1)
    seat = Lanes.seat
    monkeypatch.setattr(Lanes, "seat", lambda self, bots, lane: seat(self, bots, 0))
    with at_table(rememberer("a"), rememberer("b")) as play:
        found = play.record(0, 1)
    assert recognised(found)
    for block, other in zip(expected, found, strict=True):
        assert facts(block.matches[0]) == facts(other.matches[0]), "nothing is remembered yet"
        assert block.matches[1].moves != other.matches[1].moves


@pytest.mark.process
def test_a_diary_helps_only_where_nothing_is_confined(tmp_path, tier):
    diary = str(tmp_path / "diary")
    with hall(rememberer("a", diary=diary), rememberer("b"), tier=tier) as play:
        blocks = play.record(0, 1)
    assert (tier == "none") == bool(recognised(blocks))
    assert (tier == "none") == Path(diary).exists()
