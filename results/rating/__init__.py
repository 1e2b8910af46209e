"""What is believed of the bots' skill: matches in the order of their numbers come in, ratings go out."""
