"""Replay stored matches: records come in; their moves as text, or contradictions, go out.

replay            find a match, make its record, tell it as text
steps             the positions of a record, and what each point of view may see of them
seat              a match as one seat saw it, as text and as JSON
narration         the steps of a match in words, by round
conversation      what a seat was told, line by line, for the bot that is asked again
bot_document      what is told of a bot; bot_identity, faults_document: parts of it
feedback          what the author of a bot may see of its matches, as Markdown
replayer, verify  compare records with what follows from their deals and moves
review            what decisions cost
decision_export   decisions as data, from decision_rows; decision_audit finds what a row may not tell

A record has a deal and moves, and no views: all else follows by the rules.  That keeps a match small, shows
every point of view afterwards, and lets `verify` find a record that cannot be true.
"""
