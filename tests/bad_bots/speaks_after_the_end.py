"""Says a word after each match."""

from manners import answer, hear, say, shake_hands

shake_hands()
while True:
    message = hear()
    if message["type"] == "act":
        say(answer(message))
    elif message["type"] == "end":
        say(b"good game\n")
