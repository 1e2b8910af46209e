"""What happened, and what follows from it: records, their store, ratings, statistics and tables.

Import the module that you need: match workers use `record` alone and must not load pyarrow.

| module | holds |
|---|---|
| record | the values kept of a match, and their line of JSON |
| examples | such values made up, for tests |
| errors | what can go wrong, one small tree |
| disk | the calls by which the store writes |
| journal | checksummed lines: where a block is committed |
| manifest | which immutable segments and which journal are the results |
| schema | the columns of the Parquet files, and the way there and back |
| parquet | those files as bytes to write, and read from a path |
| finish | how matches ended: the little of them that ratings follow from |
| picture | reading: one consistent picture, without a lock |
| long | long segments made of short ones |
| writer | writing: the steps, in the order that makes each of them safe |
| survey | what of all that is stored is sound |
| repair | moving the rest aside |
| store | both, for one folder, and the lock |
| ratings | TrueSkill, and the fold of it over all matches |
| standings | the fold of a store, continued from its cache |
| digest | one hash over what happened |
| statistics | who met whom, and who is above whom |
| selection | choosing matches by who played in them and how it went |
| tables | rows to print |
| export | rows for other programs |
"""
