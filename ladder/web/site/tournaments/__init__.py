"""The pages of tournaments, on a site and on a server.

event_facts      the tournaments of a home, with what may be shown of them
event_words      stages, rounds, tables and scores in words
table_rows       cross tables and the tables of a round, as rows
bracket_layout   where the tables of a bracket stand
bracket_drawing  a bracket as SVG
event_pages      the list, a tournament, a round
event_screen     the page for a projector
event_matches    the matches of tournaments that get a page on a site
"""
