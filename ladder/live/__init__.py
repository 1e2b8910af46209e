"""One match that people follow while it is played, with or without a person at the table.

play_request   which match is asked for: the game, the bots, the seat of the person
live_request   that request checked, and made ready to be played
live_messages  what the process of the match tells, and what it is told
live_match     that process, with the person as one more seat, and the other side of it
listener       wait for a bot that its author starts
fitting        the text of a view, or of rules, in lines that fit a terminal
keep           store the match once it is over, in a store of its own
typed          a person's words as a move

Bots that are asked again what a stored match asked them:

question      which bot, which seat of which match, which decision
asked_bot     the process of the bot: it is told the match up to there, by the limits and delays of a match
debugger      wait until a debugger is attached to it
line_replies  what it answers, beside what was played
comparison    what two bots answer in the same decisions
"""
