"""One table: a scheduled match and the players come in, a record with its faults goes out."""
