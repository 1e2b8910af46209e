"""Check and submit bots: a folder comes in; findings for its author, or a new version, go out."""
