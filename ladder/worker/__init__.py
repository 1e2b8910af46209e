"""A process that plays blocks: chunks of blocks come in over a pipe, records go out.

main, worker_messages   the process and what it says to the parent of the run
concurrency       its tables
table_count             how many of them are in progress: one, or several while bots wait
starter           starts processes, or what else sits in a seat
worker            plays a lane of blocks; decides what is played again, with new processes
open_blocks       blocks in progress, lane by lane
lanes, goodbyes   the warm processes, by bot and lane; how they leave
transcript, read_transcript   every line to and from the bots, for people
hidden            which values are hidden in what bots write
spending, check_progress   what bots cost the run; how far a check is
practice, side_by_side  matches without a run: their setup, and how many are in progress

Rotation r of every block is played in lane r, and a process stays in its lane.  So a process never meets a
deal twice, and can still be kept for thousands of matches.
"""
