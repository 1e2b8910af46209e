"""What happened, and what follows from it: records of matches come in, ratings and reports go out.

Data passes through these rooms, each of which imports only those above it:

| room | holds |
|---|---|
| record, errors | the values kept of a match, with their line of JSON; what can go wrong |
| storage | what is kept, and how it survives a crash |
| rating | what is believed of the bots' skill |
| reports | what people and programs read |

Import the module that you need: match workers use `record` alone and must not load pyarrow.
"""
