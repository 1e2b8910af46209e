"""How a bot gets in: a folder comes in; findings for its author, or a new version, go out."""
