"""What is kept, and how it survives: records come in, Parquet files and a journal go out, and back."""
