"""What happened, and what follows from it: records, their store, ratings, statistics and tables.

Import the module that you need: match workers use `record` alone and must not load pyarrow.

| module | holds |
|---|---|
| record | the values kept of a match, and their line of JSON |
| errors | what can go wrong, one small tree |
| disk | the calls by which the store writes |
| journal | checksummed lines: where a block is committed |
| schema | the columns of the Parquet files, and the way there and back |
| manifest | which immutable segments and which journal are the results |
| picture | reading: one consistent picture, without a lock |
| store | writing: one process at a time |
| ratings | TrueSkill, and the fold of it over all matches |
| standings | the fold of a store, continued from its cache |
| statistics | who met whom, and who is above whom |
| tables | rows to print and to export |
"""
