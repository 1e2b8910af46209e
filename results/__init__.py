"""What happened, and what follows from it: records, their store, ratings, statistics and tables.

Import the module that you need: match workers use `record` alone and must not load pyarrow.
"""
