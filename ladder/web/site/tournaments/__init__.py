"""The pages of tournaments, on a site and on a server: run/tournament/event_document.py says what they tell.

bracket_layout   where the tables of a bracket stand
bracket_drawing  a bracket as SVG
event_pages      the list, a tournament, a round
event_screen     the page for a projector
"""
