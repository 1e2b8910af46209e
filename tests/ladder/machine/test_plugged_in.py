import pytest
from support import ladders
from support.hostile_game import PACKAGE, WRONG, hostile_game

from engines import GAMES
from ladder.errors import Told, tell, whose
from ladder.machine.plugged_in import go_on_without, name_game

BOTS = {name: {"style": name} for name in ("first", "last", "mixed")}
SETTINGS = '[run]\ngames = ["hostile"]\n[sandbox]\ntier = "none"\n'


def test_what_comes_through_the_modules_of_a_package_is_its_own_wherever_it_is_met():
    with hostile_game(text=WRONG["raises"]) as game:
        with pytest.raises(RuntimeError) as raised:
            game.text({})
        assert "hostile" == GAMES.trace(raised.value)
        assert "game" == whose(raised.value)
        message, hint = tell(raised.value)
    assert "the game 'hostile' of evil 1.0 has failed: RuntimeError: no \\x1b[31m <b>cards</b>" == message
    assert hint.endswith("remove it: pip uninstall evil")
    with pytest.raises(KeyError) as raised:
        GAMES["stellar"].text({})
    assert "ladder" == whose(raised.value)
    assert tell(raised.value) is None


def test_a_built_in_game_is_not_named():
    with pytest.raises(KeyError), name_game("stellar"):
        raise KeyError("no such card")


@pytest.mark.parametrize("hook", ["deal", "start", "choices", "play", "outcome", "begin"])
def test_rules_that_fail_in_a_match_end_the_run_and_name_the_package(tmp_path, hook):
    with hostile_game():
        home = ladders.a_home(tmp_path / "home", BOTS, SETTINGS)
        ladders.start_run(home, matches=3)
    for wrong in ("raises", "wrong shape"):
        failed = pytest.raises(Told, match=r"'hostile' of evil 1\.0 has failed")
        with hostile_game(**{hook: WRONG[wrong]}), failed as error:
            ladders.play(home)
        assert ("game", 1) == (error.value.whose, error.value.exit_code)


def test_what_fails_is_told_once_and_what_depends_on_it_is_left_out(caplog):
    with hostile_game():
        for _ in range(3):
            assert "-" == go_on_without("a picture is left out", WRONG["raises"], "-", "hostile")
            assert "-" == go_on_without("a page is left out", lambda: int("x"), "-")
    assert 2 == len(caplog.messages)
    assert PACKAGE in caplog.messages[0]
    assert "a page is left out: ValueError" in caplog.messages[1]
