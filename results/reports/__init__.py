"""Reports for people and programs: stored rows and ratings come in, tables, exports and hashes go out."""
