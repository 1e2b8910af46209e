"""Events with an end and a winner: tournaments are begun, played and shown.  ladder.pairing has their rules.

tournament_request    what is asked for
tournament_begin      the entrants, their seeds, and what it costs
noise                 how many blocks a round needs
certainty             how surely the best of a field wins, before it is played
forecast              that of a stored tournament, before and afterwards, and how long it takes
tournament_session    a new one, and one that is stored, as they are played
stored_tournaments    those of a home, by name
revealing             shows what was secret, all of it or round by round
event_facts           the tournaments of a home, with what may be shown of them
event_document        what people see of a tournament and of a round, on a terminal and on pages
event_words           stages, rounds, tables and scores in words
event_rows            lists, rounds and tables for programs
drawn_bracket         a bracket in letters
table_lists           tables in lists, in letters
"""
