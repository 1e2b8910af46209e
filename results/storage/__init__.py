"""Store the results: records come in, Parquet files and a journal go out; reading returns the records."""
