"""The numbers of the built-in games, made once more of their views and of what their pages say."""

import json
from array import array
from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from support.places import ROOT
from support.short_game import Showdown

from engines import GAMES
from engines.contract import test_numbers as contract
from engines.contract.subject import subject_of
from engines.position import PlainPosition
from engines.starry_sky.boards import BOARDS, NAMES, PLACES
from engines.starry_sky.tokens import TOKENS
from engines.stella_quest.cards import BACK_NAMES
from engines.stella_quest.cards import NAMES as QUEST_CARDS
from engines.stellar.cards import NAMES as STELLAR_CARDS
from engines.stellar.cards import SLOTS
from engines.template import Toy

DECK = json.loads((ROOT / "engines/stella/deck.json").read_text("utf-8"))


def place_in(names, name):
    """Return the place of a name, from 1 on; 0 for None."""
    return 0 if name is None else 1 + [*names].index(name)


class Told:
    """Numbers by the names of their columns; those that are 0 are left out."""

    def __init__(self, view):
        self.view, self.numbers = view, {}

    def set(self, name, number):
        if number:
            self.numbers[name] = int(number)

    def count(self, field, names):
        for name, copies in Counter(names).items():
            self.set(f"{field}.{name}", copies)

    def seat(self, who):
        """Return the number of a seat: 1 for the own one."""
        return 0 if who is None else 1 + (who - self.view["seat"]) % self.view["seats"]

    def by_seat(self, field, numbers):
        for who, number in enumerate(numbers):
            self.set(f"{field}.{self.seat(who) - 1}", number)


def stellar(view):
    told = Told(view)
    steps = ["starter", "wipe", "take", "play", "place", "final", "over"]
    told.set("seat", view["seat"])
    told.set("three", view["options"]["face_down_number"] == "three")
    told.set("first", told.seat(view["first"]))
    for field in ("turn", "satellite", "pile", "reshuffles"):
        told.set(field, view[field])
    told.set("step", steps.index(view["step"]))
    told.set("waiting", place_in(STELLAR_CARDS, view.get("waiting")))
    for slot, card in enumerate(view["row"], 1):
        told.set(f"row.{slot}", place_in(STELLAR_CARDS, card))
    told.by_seat("thrown", [place_in(STELLAR_CARDS, card) for card in view.get("thrown", ())])
    told.by_seat("hands", view["hands"])
    told.count("hand", view["hand"])
    told.count("discards", view["discards"])
    told.count("pile_cards", view.get("pile_cards", ()))
    for who in (0, 1):
        seat = told.seat(who) - 1
        told.count(f"notebook.{seat}", view["notebooks"][who])
        told.count(f"known.{seat}", view["known"][who])
        for slot, lies in view["telescopes"][who].items():
            assert slot in SLOTS
            told.set(f"telescope.{seat}.{slot}", place_in(STELLAR_CARDS, lies.removesuffix(" down")))
            told.set(f"down.{seat}.{slot}", lies.endswith(" down"))
    return told


def starry_sky(view):
    told = Told(view)
    told.set("seat", view["seat"])
    told.set("first", told.seat(view["first"]))
    told.set("next", told.seat(view["next"]))
    told.set("turn", view["turn"])
    told.set("pile", view["pile"])
    told.by_seat("coins", view["coins"])
    told.by_seat("hands", view["hands"])
    told.count("hand", view["hand"])
    for at, board in enumerate(view["boards"]):
        told.set(f"boards.{at}", place_in(NAMES, board["board"]))
    for at, board in enumerate(view["scored"]):
        told.set(f"scored.{at}", place_in(NAMES, board["board"]))
        told.by_seat(f"paid.{board['board']}", board["coins"])
    for board in (*view["boards"], *view["scored"]):
        for star, (owner, token) in enumerate(zip(board["owners"], board["tokens"], strict=True)):
            place = f"{board['board']}.{star}"
            assert place in PLACES
            told.set(f"owner.{place}", told.seat(owner))
            seen = view["mine"].get(place, token)
            told.set(f"token.{place}", 9 if seen == "?" else place_in(TOKENS, seen))
    for place, tokens in view["excluded"].items():
        told.count(f"excluded.{place}", tokens)
    for place, times in view["rarer"].items():
        told.set(f"rarer.{place}", times.bit_length() - 1)
    return told


def stella_quest(view):
    told, seats = Told(view), view["seats"]

    def player(who):
        return 5 if who == "dummy" else told.seat(who)

    told.set("seat", view["seat"])
    for field in ("first", "turn", "leader"):
        told.set(field, told.seat(view[field]))
    for field in ("opening", "top"):
        told.set(field, place_in(QUEST_CARDS, view[field]))
    for field in ("lead", "back"):
        told.set(field, place_in(BACK_NAMES, view[field]))
    for field in ("round", "pile", "reshuffles"):
        told.set(field, view[field])
    told.set("step", ["play", "take", "top", "over"].index(view["step"]))
    told.set("marker", player(view["marker"]))
    ending = view.get("ending", {"why": None, "seat": None})
    told.set("why", place_in(["enlightened", "eliminated", "rounds", "cards"], ending["why"]))
    told.set("ended_by", told.seat(ending["seat"]))
    for at, (who, card) in enumerate(view["table"]):
        told.set(f"table.{at}", place_in(QUEST_CARDS, card))
        told.set(f"by.{at}", player(who))
    told.by_seat("lights", view["lights"])
    told.by_seat("hands", view["hands"])
    told.count("hand", view["hand"])
    told.count("discards", view["discards"])
    for who in range(seats):
        told.count(f"backs.{told.seat(who) - 1}", view["backs"][who])
        for at, card in enumerate(view["collections"][who]):
            told.set(f"collections.{told.seat(who) - 1}.{at}", place_in(QUEST_CARDS, card))
    history = []
    for period, drawn in zip(view["periods"], view["drawn"], strict=True):
        history += [1 + QUEST_CARDS.index(card) for card in period["cards"] or ()]
        for seat in range(seats):
            who = (view["seat"] + seat) % seats
            for received, played in zip(period["received"][who], period["played"][who], strict=True):
                history += [26 + 30 * seat + BACK_NAMES.index(back) for back in received]
                history += [31 + 30 * seat + QUEST_CARDS.index(card) for card in played]
        history += [26 + 30 * seats + QUEST_CARDS.index(card) for card in drawn]
        history += [51 + 30 * seats + QUEST_CARDS.index(card) for card in period.get("dummy", ())]
    for at, number in enumerate(history):
        told.set(f"history.{at}", number)
    return told


def stella(view):
    told, names = Told(view), [card["id"] for card in DECK["cards"]]
    words = [*dict.fromkeys(word for pair in (*DECK["words"], *DECK["discovery"]) for word in pair)]
    told.set("seat", view["seat"])
    told.set("word_vote", view["options"]["word_vote"])
    told.set("first_game", view["options"]["first_game"])
    told.set("first", told.seat(view["first"]))
    told.set("round", view["round"])
    told.set("step", ["vote", "associate", "show", "over"].index(view["step"]))
    told.set("scout", told.seat(view["scout"]))
    told.set("upside_down", place_in(words, view["words"][1]) if "words" in view else 0)
    told.by_seat("scores", view["scores"])
    told.by_seat("sparks", view["sparks"])
    rounds = [dict(each, own=own) for each, own in zip(view["rounds"], view["past_crosses"], strict=True)]
    if view["step"] != "over":
        word = view["words"][0] if "words" in view else view["word"]
        cards = [card["id"] for card in view["grid"]]
        rounds.append({**view, "cards": cards, "word": word, "own": view["crosses"], "scores": ()})
    for number, each in enumerate(rounds, 1):
        told.set(f"word.{number}", place_in(words, each["word"]))
        told.set(f"flipped.{number}", each["flipped"])
        told.set(f"dark.{number}", told.seat(each["dark"]))
        for place, card in enumerate(each["cards"]):
            told.set(f"grid.{number}.{place}", place_in(names, card))
            told.set(f"shown.{number}.{place}", card in each["shown"])
            told.set(f"crosses.{number}.{place}", card in each["own"])
            for who in each["shown"].get(card, ()):
                told.set(f"crossed.{number}.{told.seat(who) - 1}.{place}", 1)
        told.by_seat(f"counts.{number}", each["counts"])
        told.by_seat(f"stars.{number}", each["stars"])
        told.by_seat(f"won.{number}", each["scores"])
        for who in each["fallen"]:
            told.set(f"fallen.{number}.{told.seat(who) - 1}", 1)
    return told


EXPECTED = {"stellar": stellar, "starry-sky": starry_sky, "stella-quest": stella_quest, "stella": stella}


@pytest.mark.parametrize("name", EXPECTED)
def test_the_numbers_are_those_that_the_page_tells(name):
    game = GAMES[name]
    for seats in game.seats:
        for seed in range(2):
            rng = Random(seed)
            options = {key: values[seed] for key, values in game.options.items()}
            world = game.begin(game.deal(seats, rng, options), seats)
            names = [column.name for column in game.columns(seats, options)]
            buffer = array("i", [0]) * len(names)
            while not world.over:
                world.play(world.sample(rng.random))
                for seat in range(seats):
                    world.numbers(seat, buffer)
                    told = {key: number for key, number in zip(names, buffer, strict=True) if number}
                    assert EXPECTED[name](json.loads(world.write_view(seat))).numbers == told


def test_boards_of_the_sky_are_what_the_columns_name():
    columns = [column.name for column in GAMES["starry-sky"].columns(3)]
    large = [f"{name}.{star}" for name, board in BOARDS.items() for star in board.large]
    assert [f"rarer.{place}" for place in large] == [name for name in columns if name.startswith("rarer.")]


def test_an_own_deck_makes_the_codes_of_stella():
    cards = [{"id": f"pier-{number}", "text": "A pier."} for number in range(30)]
    words = [["Salt", "Rope"], ["Rope", "Fog"], ["Gull", "Tar"], ["Net", "Ice"]]
    options = {"deck": {"cards": cards, "words": words}}
    game = GAMES["stella"]
    columns = {column.name: column for column in game.columns(3, options)}
    assert (30, 7) == (columns["grid.1.0"].most, columns["word.1"].most)
    world, buffer = game.begin(game.deal(3, Random(1), options), 3), array("f", [0]) * len(columns)
    world.numbers(0, buffer)
    grid = [int(number) for name, number in zip(columns, buffer, strict=True) if name.startswith("grid.1.")]
    view = json.loads(world.write_view(0))
    assert [1 + int(card["id"].split("-")[1]) for card in view["grid"]] == grid
    told = ["Salt", "Rope", "Fog", "Gull", "Tar", "Net", "Ice"]
    assert told.index(view["words"][0]) + 1 == buffer[[*columns].index("word.1")]


def test_a_long_match_of_stella_quest_keeps_within_its_columns():
    """All seats spare the lights, so that the match lasts and the discards are shuffled again."""
    game, shuffled = GAMES["stella-quest"], 0
    for seats in game.seats:
        columns = game.columns(seats)
        most, buffer = [column.most for column in columns], array("i", [0]) * len(columns)
        for seed in range(3):
            rng = Random(seed)
            world = game.begin(game.deal(seats, rng), seats)
            while not world.over:
                world.play(max(world.options(), key=lambda option: lights_after(world, option, rng)))
                world.numbers(0, buffer)
                assert all(number <= high for number, high in zip(buffer, most, strict=True))
            assert EXPECTED[game.name](json.loads(world.write_view(0))).numbers == {
                column.name: number for column, number in zip(columns, buffer, strict=True) if number
            }
            shuffled = max(shuffled, len(world.past))
    assert shuffled > 1


def lights_after(world, option, rng):
    """Return how many lights an option leaves to all seats, less the cards taken: none at the end."""
    after = world.copy()
    after.play(option)
    return 0 if after.over else 3 * sum(after.lights) - sum(map(len, after.collections)) + rng.random()


def test_a_game_without_numbers_says_what_to_write():
    game, rng = Showdown(), Random(1)
    position = game.begin(game.deal(2, rng), 2)
    for ask in (
        lambda: game.columns(2),
        lambda: game.numbers({}),
        lambda: position.numbers(0, array("f")),
        lambda: PlainPosition(Fitting(), None).numbers(0, array("f")),
    ):
        with pytest.raises(NotImplementedError, match=r"has no numbers: implement columns\(seats, options\)"):
            ask()


class Fitting:
    """Fits the interface of a game as far as a position needs it, and has nothing from Game."""

    name = "fitting"

    def choices(self, state):
        return {}


def test_the_view_of_a_spectator_has_no_numbers():
    game = GAMES["stellar"]
    view = game.view(game.begin(game.deal(2, Random(1)), 2), None)
    with pytest.raises(ValueError, match="expected the view of a seat"):
        game.numbers(view)


@pytest.mark.parametrize(
    ("buffer", "message"),
    [
        ([0.0] * 416, r"^expected a buffer, such as array\('f', bytes\(4 \* 416\)\), got: list$"),
        (array("f", [0.0] * 415), "^expected a buffer of 416 numbers, one for each column, got 415$"),
        (bytes(416), "^expected a writable buffer of numbers in one row"),
        (memoryview(array("f", [0.0] * 832))[::2], "^expected a writable buffer of numbers in one row"),
    ],
    ids=["list", "short", "bytes", "every other"],
)
def test_a_buffer_that_does_not_fit_is_refused(buffer, message):
    game = GAMES["stellar"]
    world = game.begin(game.deal(2, Random(1)), 2)
    with pytest.raises(ValueError, match=message):
        world.numbers(0, buffer)


# -- what is lost or told is noticed


class Forgetting(Toy):
    """Its numbers leave out which cards a seat kept."""

    def numbers(self, view):
        return super().numbers({**view, "kept": []})


class Telling(Toy):
    """Its positions write the cards of the next seat in place of the own ones."""

    def position(self, state):
        return TellingPosition(self, state)

    def begin(self, deal, seats):
        return TellingPosition(self, *self.start(deal, seats))


class TellingPosition(PlainPosition):
    def copy(self):
        return TellingPosition(self._game, self._state)

    def numbers(self, seat, buffer):
        super().numbers(seat, buffer)
        cards = self._state.hands[(seat + 1) % len(self._state.hands)]
        at = [column.name for column in self._game.columns(len(self._state.hands))].index("hand.0")
        buffer[at] = int(cards[0].split()[-1])


@pytest.mark.parametrize(
    ("game", "check", "why"),
    [
        (Forgetting(), contract.test_numbers_tell_apart_what_follows_from_each_option, "the same numbers"),
        (Forgetting(), contract.test_numbers_tell_apart_views_in_which_one_thing_is_different, "seats"),
        (Telling(), contract.test_numbers_tell_nothing_more_than_a_view_tells, "other numbers"),
    ],
)
def test_numbers_that_tell_less_or_more_than_a_view_are_noticed(game, check, why):
    with pytest.raises(AssertionError, match=why):
        check(replace(subject_of(Toy()), game=game), 3)
