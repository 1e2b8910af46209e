"""What the ladder knows of games: their rule options, their rating parameters, and how to begin a new one.

rule_options      values from ladder.toml and the command line, checked, with the defaults of the game
rating_defaults   the draw probabilities that games declare, handed to `results`, which knows no games
bot_files         what the author of a bot gets of a game: its page, schema, cards and positions
new_game          `ladder games new`: a copy of engines/template under another name
shown_game        what a game says and draws, and what is shown where it fails to

The rules themselves are in `engines`, which knows nothing of the ladder.  The other rooms ask the interface
engines.game.Game, and never a game by its name; so a game from outside needs no change here.
Options are checked before anything is stored, and stored with the run.
"""
