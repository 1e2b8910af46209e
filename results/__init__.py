"""Records of matches come in; ratings and reports go out.

Data passes through these packages.  Each imports only those above it:

| package | holds |
|---|---|
| words, record, errors | the words of schedules; the values of a match with their JSON; the exceptions |
| batches | a long row, divided |
| storage | Parquet files and the journal, safe from crashes |
| rating | the bots' TrueSkill ratings; the bets that decide duels |
| reports | tables, exports and hashes for people and programs |

Import only the module you need: match workers use `record` alone and must not load pyarrow.
"""
