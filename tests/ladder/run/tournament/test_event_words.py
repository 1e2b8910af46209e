"""What the places at tables of brackets mean, in words."""

from support.tournaments import begin

from ladder.run.tournament.event_words import tell_end


def test_each_place_of_a_double_knock_out_says_what_follows_it():
    event = begin("double-knockout:4", 4)

    def ends(name):
        (stage,) = event.report()
        (table,) = (table for each in stage.rounds for table in each.tables if table.name.endswith(name))
        return [tell_end(table, place) for place in range(2)]

    assert ["wins", "out"] == ends("/final"), "as long as nobody has to play once more"
    while not event.over:
        for due in event.due():
            lower = due.table.endswith("/final")  # the one from the lower bracket wins
            for _ in range(due.blocks):
                event.hear(due.table, [(2, 1) if lower else (1, 2)] * 2)
    assert ["goes on", "goes to lower 1"] == ends("/upper-1/1")
    assert ["goes on", "goes to lower 2"] == ends("/upper-2")
    assert ["goes on", "out"] == ends("/lower-1")
    assert ["plays once more"] * 2 == ends("/final")
    assert ["wins", "out"] == ends("/reset")
