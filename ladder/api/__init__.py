"""The ladder from Python, loaded when `import ladder` is asked for one of its names.

face                    the functions
asked                   the options that functions and commands share
board_rows, match_rows  leaderboards and matches
duels, event_answer     duels, with what an author tries; tournaments
exports                 files with all matches, or all decisions
"""
