"""Rate the bots: matches in number order come in, ratings go out."""
