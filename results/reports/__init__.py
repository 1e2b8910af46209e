"""Reports for people and programs: stored rows and ratings come in, tables, exports and hashes go out.

document                    the parts of an answer, and the kinds of values in it; as_markdown writes it
render, intervals           rows as a table, JSON, CSV or Markdown; intervals as numbers
values_as_text              single values as text
labels                      what a version is called
leaderboard                 the ratings of a game, the notes below them (doubts: what takes their meaning),
                            and how far apart each two bots are
costs, board_marks          what matches cost, and what is here, passes or was reviewed, as columns
limit_sets, clean_ratings   ratings from some matches: under the limits of now, without faults
matrix                      the results of each bot against each other
bot_facts, history          one bot: how it stands, and how its rating came about, or those of all bots;
                            anchors: beside which other bot it is told; intervals as bars
losses, fault_card          what a bot lost most clearly; what it did wrong, for its author
row_sets, seats             which matches are meant; the rows of matches and faults, of seats
story                       who won a match, in one line
survey                      all matches read once, for pages
duel_report                 what a duel has found, and the rows of duels; calibration_report: of calibration
digest, export, guessable   the hash of what was played; flat rows; runs whose deals bots could know

A report is a function of what was read.  It opens no store and prints nothing.
"""
