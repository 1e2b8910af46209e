"""What people and programs read: stored rows and ratings come in, tables, exports and hashes go out."""
