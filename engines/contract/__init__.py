"""The tests that every game must pass: `pytest --pyargs engines.contract --game my_package:MyGame`.

test_promises   choices, moves, outcomes and rule options, at every table size
test_secrets    no seat learns what it may not, and every world that it cannot exclude comes to mind
test_positions  a game that is played on in place agrees with its states
test_schema     the schema takes all that is seen and said, and next to nothing else
test_pictures   a picture shows what its view shows, and nothing more
test_golden     stored matches replay to the last byte
test_page       the page for authors names all that the schema does

The other modules serve these tests.  A game says in its module `testing` what cannot be found out: see known.
"""
