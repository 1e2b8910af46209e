"""Events with an end and a winner: tournaments are begun, played and shown.  ladder.pairing has their rules.

tournament_request    what is asked for
tournament_begin      the entrants, their seeds, and what it costs
noise                 how many blocks a round needs
certainty             how surely the best of a field wins, before it is played
hindsight             how surely the winner is the best of the field, afterwards
forecast              both of a stored tournament, by the ratings of its home, and how long it takes
tournament_session    a new one, and one that is stored, as they are played
stored_tournaments    those of a home, by name
revealing             shows what was secret, all of it or round by round
tournament_report     what people see, from
cross_tables          rounds
drawn_bracket         brackets
table_lists           tables in lists
text_cells            names in a given width
event_rows            rounds and tables for programs
"""
