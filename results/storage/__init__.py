"""Store the results: records come in, Parquet files and a journal go out; reading returns the records.

writer, journal    a run under the lock: each finished block is a checksummed line, synced once a second
parquet, schema    many blocks become an immutable segment; the columns of all files
manifest, layout   which files are in force, and where they lie
store, disk        begin, lock, seal and end runs; every call that reaches the disk, so that tests can fail it
opening, contents  what is in force at one moment, read consistently and without a lock
segment_files      the rows of segments, while another process may join them; finishes: only what ratings need
cached             values that can be computed again: a checksum and a MessagePack value
audit, repair      what is sound, and what to do about the rest; compaction joins segments
reviews            what decisions cost, under a lock of its own; review_rows: its tables
unrated, seasons   a store of its own for each duel; runs that are rated together

A number is published before it is used, and nothing that is published changes.  results/README.md has the
files column by column, results/COST.md what millions of matches cost.
"""
