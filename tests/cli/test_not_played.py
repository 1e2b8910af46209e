"""What is said of a bot that has no matches where some were asked for."""

from types import SimpleNamespace

from support.records import a_run

from ladder.cli.not_played import say_not_played
from results.record import Contest, RunSettings, Season


def test_the_hint_names_the_newest_other_season_in_which_the_bot_played(capsys):
    seasons = [Season(name, number, 0) for number, name in enumerate(("first", "spring", "summer", "now"), 1)]
    played = {
        season.name: a_run(settings=RunSettings(contests=(Contest("stellar", 2, {}, bots),)))
        for season, bots in zip(seasons, [(0, 1), (0, 1), (1,), (1,)], strict=True)
    }
    contents = SimpleNamespace(
        seasons=seasons,
        season=seasons[-1],
        season_name="now",
        of_season=lambda name: SimpleNamespace(rated_runs=[played[name]]),
    )
    say_not_played(None, contents, "alpha", {("alpha", "alpha-1")}, "ladder bots alpha --history")
    said = capsys.readouterr().err
    assert "alpha has not played in season now yet" in said
    assert "ladder bots alpha --history --season spring" in said
